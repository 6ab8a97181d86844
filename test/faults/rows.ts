import { type FaultRow, faults } from './table.mjs';

/** A row with one variant inserted. */
export interface FaultCase extends Omit<FaultRow, 'each'> {
  readonly variant: string;
  readonly name: string;
}

/** The rows with a play, one for each variant. */
export function casesBy(player: FaultRow['by']): readonly FaultCase[] {
  return faults.filter(({ by }) => by === player).flatMap(variantsOf);
}

function variantsOf(row: FaultRow): FaultCase[] {
  return (row.each ?? ['']).map((variant) => {
    const { each: _each, ...rest } = JSON.parse(JSON.stringify(row).replaceAll('%s', escaped(variant)));
    return { ...rest, variant, name: `${rest.fault}, ${rest.phase}` };
  });
}

/** The variant as written inside JSON text. */
function escaped(variant: string): string {
  return JSON.stringify(variant).slice(1, -1).replaceAll('$', '$$$$');
}
