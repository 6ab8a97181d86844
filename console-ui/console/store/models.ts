import { useEffect, useState } from 'react';
import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { isObject } from '../../../src/wire/protocol/frames.js';
import { useConsole, useReach } from './context.js';

/** A model that a CLI offers. */
export interface OfferedModel {
  readonly value: string;
  readonly name: string;
  /** The levels of effort that it has, if any. */
  readonly efforts: readonly string[];
}

export type Models = readonly OfferedModel[];

/** The models that the CLI of a session offers; queried once per CLI, and remembered for new sessions. */
export function useModels(session: Pick<SessionSummary, 'id' | 'cliVersion'> | undefined): Models {
  const { link } = useReach();
  const [models, setModels] = useState<Models>([]);
  const [id, version] = [session?.id, session?.cliVersion];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is not read, but another CLI may offer other models
  useEffect(() => {
    if (id === undefined) return;
    let isCurrent = true;
    link.command('info', {}, { session: id }).then(
      ({ info }) => {
        const offered = modelsIn(info.models);
        if (offered.length > 0) keepModels(info.models);
        if (isCurrent) setModels(offered);
      },
      // Without the list, the current model is still shown.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [link, id, version]);
  return models;
}

/** The models for a new session: those that a running CLI offers, or that the last one offered. */
export function useLatestModels(): Models {
  const sessions = useConsole((state) => state.sessions);
  const [asked] = useState(() => [...sessions.values()].find(({ state }) => ASKABLE.has(state)));
  const offered = useModels(asked);
  const [kept] = useState(keptModels);
  return offered.length > 0 ? offered : kept;
}

const ASKABLE: ReadonlySet<string> = new Set(['idle', 'running', 'needs-you']);
const KEPT = 'coxswain models';

function keepModels(list: unknown): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(list));
  } catch {
    // A browser that keeps nothing asks the next CLI again.
  }
}

function keptModels(): Models {
  try {
    return modelsIn(JSON.parse(localStorage.getItem(KEPT) ?? '[]'));
  } catch {
    // Something else has written it.
    return [];
  }
}

function modelsIn(list: unknown): Models {
  return (Array.isArray(list) ? list : []).filter(isObject).map((model) => {
    const { value, displayName, supportedEffortLevels: levels } = model;
    return {
      value: String(value),
      name: String(displayName ?? value),
      efforts: Array.isArray(levels) ? levels.map(String) : [],
    };
  });
}
