import { useId } from 'react';
import type { PlaceParams, WorkersView } from '../../../src/entry/remote/contract.js';

/** The requirements of a new session on a fleet, as typed. */
export interface TypedPlace {
  readonly labels: string;
  readonly cli: string;
  readonly priority: string;
}

export const ANY_PLACE: TypedPlace = { labels: '', cli: '', priority: '' };

/** The `place` parameter; undefined if nothing is required. */
export function placeOf({ labels, cli, priority }: TypedPlace): PlaceParams | undefined {
  const wanted = labels.split(',').flatMap((label) => label.trim() || []);
  const place = {
    ...(wanted.length === 0 ? {} : { labels: wanted }),
    ...(cli === '' ? {} : { cli }),
    ...(priority === '' ? {} : { priority: Number(priority) }),
  };
  return Object.keys(place).length === 0 ? undefined : place;
}

/** At a gateway of a fleet: which worker the session needs. */
export function PlaceFields({
  workers,
  place,
  onChange,
}: {
  workers: WorkersView;
  place: TypedPlace;
  onChange: (place: TypedPlace) => void;
}) {
  const list = useId();
  return (
    <>
      <label className="form-field">
        <span>
          Labels of its worker <span className="faint">(any worker if left out)</span>
        </span>
        <input
          value={place.labels}
          list={list}
          placeholder={workers.labels.slice(0, 3).join(', ')}
          onChange={(event) => onChange({ ...place, labels: event.target.value })}
        />
        <datalist id={list}>
          {workers.labels.map((label) => (
            <option key={label} value={label} />
          ))}
        </datalist>
      </label>
      <label className="form-field">
        CLI version
        <select value={place.cli} onChange={(event) => onChange({ ...place, cli: event.target.value })}>
          <option value="">Any</option>
          {workers.cliVersions.map((version) => (
            <option key={version} value={version}>
              {version}
            </option>
          ))}
        </select>
      </label>
      <label className="form-field">
        <span>
          Priority <span className="faint">(higher goes first when slots are short)</span>
        </span>
        <input
          type="number"
          value={place.priority}
          placeholder="0"
          onChange={(event) => onChange({ ...place, priority: event.target.value })}
        />
      </label>
    </>
  );
}
