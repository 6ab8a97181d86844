// The screenshots of the recording page, with a fixed recording.
import { tracePage } from '../../../src/wire/trace/page/export-page.ts';
import { sampleRecording } from '../../../test/fixtures/recordings/sample.mjs';

/** The screenshots to take; `saved` writes a page to a file and returns its address. */
export async function recordingPictures(saved) {
  let text = '';
  for await (const piece of tracePage({ text: sampleRecording() }, { name: 'session.trace' })) text += piece;
  const url = saved('session.html', text);
  return [
    { name: 'recording', url, width: 1280, height: 760, act: lookAtPrompt },
    { name: 'recording-dark', url, width: 1280, height: 760, dark: true, act: lookAtCost },
    {
      name: 'recording-phone',
      url,
      width: 390,
      height: 760,
      act: (page) => page.getByRole('option').nth(5).waitFor(),
    },
  ];
}

async function lookAtPrompt(page) {
  await page.getByRole('searchbox').fill('-type:system');
  const prompt = page.getByRole('option', { name: 'request can_use_tool' }).first();
  await prompt.click();
  await page.getByRole('article').waitFor();
}

async function lookAtCost(page) {
  await page.getByRole('tab', { name: 'Cost' }).click();
}
