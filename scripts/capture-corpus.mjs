// Writes test/corpus: runs the real CLIs offline against a scripted model, keeps one trimmed frame per kind and case.

import { noteReaction, runScenario } from './capture/driver.mjs';
import { conversation } from './capture/scenarios/conversation.mjs';
import { account, budget, maxTurns, structured } from './capture/scenarios/limits.mjs';
import { plan } from './capture/scenarios/plan.mjs';
import { requests } from './capture/scenarios/requests.mjs';
import { spare } from './capture/scenarios/spare.mjs';
import { surroundings } from './capture/scenarios/surroundings.mjs';
import { writeCorpus } from './capture/write.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';

const everywhere = { requests, conversation, maxTurns, budget, structured, account };
const scenarios = {
  '2.0.73': everywhere,
  '2.1.17': everywhere,
  '2.1.326': { ...everywhere, surroundings, plan, spare },
};

if (!(await ensureInstalled('test/real-clis'))) {
  console.error('the real CLIs could not be installed: see the npm error above');
  process.exit(1);
}
const byVersion = {};
for (const [version, chosen] of Object.entries(scenarios))
  byVersion[version] = await captureVersion(version, chosen);
const written = await writeCorpus(byVersion);
for (const [version, { files }] of Object.entries(written)) {
  console.log(`${version}: ${Object.keys(files).length} frames`);
}

async function captureVersion(version, chosen) {
  const all = { captured: [], reactions: {} };
  for (const [name, scenario] of Object.entries(chosen)) {
    const started = performance.now();
    const { captured, reactions } = await runScenario(version, scenario);
    all.captured.push(...captured);
    for (const [subtype, reaction] of Object.entries(reactions))
      noteReaction(all.reactions, subtype, reaction);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${version} ${name}: ${captured.length} frames in ${seconds} s`);
  }
  return all;
}
