// The comments of options in declarations: an option is described once, in its table, and its declaration repeats
// that sentence for editors.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const WIDTH = 120;

/**
 * The text of a file with the comments of some of its types rewritten. `described` has each type's name and the
 * sentences of its options by name; an option without a sentence keeps its comment.
 */
export function withComments(path, described) {
  const text = readFileSync(path, 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const changes = file.statements
    .filter((each) => described[each.name?.text] !== undefined)
    .flatMap((each) =>
      membersOf(each).flatMap((member) => changeOf(member, described[each.name.text], text)),
    );
  return changes.reduceRight((left, { from, to, by }) => left.slice(0, from) + by + left.slice(to), text);
}

function membersOf(declaration) {
  return declaration.members ?? declaration.type.members;
}

function changeOf(member, sentences, text) {
  const sentence = sentences[member.name.text];
  if (sentence === undefined) return [];
  const to = member.getStart();
  const [comment] = ts.getLeadingCommentRanges(text, member.getFullStart()) ?? [];
  const indent = text.slice(text.lastIndexOf('\n', to) + 1, to).match(/^\s*/)[0];
  return [{ from: comment?.pos ?? to, to, by: `${commentOf(sentence, indent)}\n${indent}` }];
}

function commentOf(sentence, indent) {
  const line = `/** ${sentence} */`;
  if (indent.length + line.length <= WIDTH) return line;
  const lines = [''];
  for (const word of sentence.split(' ')) {
    if (indent.length + 3 + lines.at(-1).length + 1 + word.length > WIDTH) lines.push('');
    lines[lines.length - 1] += lines.at(-1) === '' ? word : ` ${word}`;
  }
  return ['/**', ...lines.map((each) => `${indent} * ${each}`), `${indent} */`].join('\n');
}
