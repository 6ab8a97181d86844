import { factAt } from '../../../host/cli/ledger/facts.js';
import type { Ledger } from '../../../host/cli/ledger/ledger.js';
import { findRequirement } from '../requirements/requirements.js';
import { isNewKey } from './version-record.js';

/**
 * The changes from one version to another, as a changelog paragraph. A request that fails only because its answer has
 * keys that the catalog lacks is listed apart: there the catalog is behind, and the CLI works.
 */
export function newsParagraph(
  ledger: Ledger,
  [before, after]: readonly [before: string, after: string],
  detailOf: (id: string) => string = () => '',
): string {
  const changed = Object.keys(ledger.facts).filter(
    (id) => factAt(ledger, id, before) !== factAt(ledger, id, after),
  );
  const isKey = (id: string) => factAt(ledger, id, after) === 'fail' && isNewKey(detailOf(id));
  const others = changed.filter((id) => !isKey(id));
  const keys = changed.filter(isKey);
  const head = `Claude CLI ${after}, compared with ${before}:`;
  if (changed.length === 0) return `${head} nothing changed.`;
  return [
    ...(others.length === 0
      ? []
      : [head, '', ...others.map((id) => changeText(ledger, id, [before, after]))]),
    ...(others.length === 0 || keys.length === 0 ? [] : ['']),
    ...(keys.length === 0
      ? []
      : [`New keys in ${after}; add them to the catalog, then probe again:`, '', ...keys.map(keyText)]),
  ].join('\n');

  function keyText(id: string): string {
    return `- \`${id}\`: ${detailOf(id)}`;
  }
}

function changeText(ledger: Ledger, id: string, [before, after]: readonly [string, string]): string {
  const [old, now] = [factAt(ledger, id, before), factAt(ledger, id, after)];
  const isRace = ledger.unsteady[id]?.split(', ').includes(after) === true;
  return `- \`${id}\`: ${old ?? 'nothing'}, now ${now}${isRace ? ' in most runs' : ''}${meaning(id)}`;
}

function meaning(id: string): string {
  const requirement = findRequirement(id);
  return requirement === undefined ? '' : ` (${requirement.behaviour})`;
}
