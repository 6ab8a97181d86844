// The model asks the user: one option, several options, or free text.
import assert from 'node:assert/strict';
import { openSession, type QuestionPrompt } from 'coxswain';
import { askQuestion, emulateCli, onUser, question, say } from 'coxswain/testing';

const cli = emulateCli([
  onUser([
    askQuestion([
      question('Which database?', ['Postgres', 'SQLite']),
      question('Which tests?', ['unit', 'integration', 'end to end'], { multiSelect: true }),
      question('What is it called?', ['app']),
    ]),
    say('Understood.'),
  ]),
]);

// #region question
const answerForm = (form: QuestionPrompt) =>
  form.answer({
    'Which database?': 'SQLite',
    'Which tests?': ['unit', 'end to end'],
    'What is it called?': { other: 'Heron' },
  });
// #endregion

await using session = await openSession({ transport: cli.transport, onQuestion: answerForm });
const said = await session.send('Set up a project').text();
assert.equal(said, 'Understood.');
assert.match(cli.lines.join('\n'), /"SQLite".*"unit, end to end".*"Heron"/);
cli.assertFinished();
console.log(said);
