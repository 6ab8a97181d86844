import { factAt } from '../../../host/cli/ledger/facts.js';
import type { Ledger } from '../../../host/cli/ledger/ledger.js';
import { findRequirement } from '../requirements/requirements.js';

/** The changes from one version to another, as a changelog paragraph. */
export function newsParagraph(ledger: Ledger, before: string, after: string): string {
  const changed = Object.keys(ledger.facts).flatMap((id) => {
    const [old, now] = [factAt(ledger, id, before), factAt(ledger, id, after)];
    return old === now ? [] : [`- \`${id}\`: ${old ?? 'nothing'}, now ${now}${meaning(id)}`];
  });
  const head = `Claude CLI ${after}, compared with ${before}:`;
  return changed.length === 0 ? `${head} nothing changed.` : [head, '', ...changed].join('\n');
}

function meaning(id: string): string {
  const requirement = findRequirement(id);
  return requirement === undefined ? '' : ` (${requirement.behaviour})`;
}
