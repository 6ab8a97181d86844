/** A CLI's conversation on this machine. */
export interface TranscriptPlace {
  /** Its session. */
  readonly session: string;
  /** The CLI's id for it. */
  readonly conversation: string;
  /** The folder that its CLI works in. */
  readonly cwd: string;
  /** The CLI's own folder; by default that of this machine. */
  readonly configDir?: string | undefined;
  /** Goes up with each owner: what an owner before this one saves later is not taken. */
  readonly epoch: number;
}

/** Keeps what CLIs write of their conversations where every worker of a fleet finds it. */
export interface TranscriptStore {
  /** Takes what was written since the last time; cheap where nothing was. */
  save(place: TranscriptPlace): Promise<void>;
  /** Puts it where a CLI in this place finds it; false if there is none. What is there already and goes further stays. */
  restore(place: TranscriptPlace): Promise<boolean>;
  /** Forgets it. */
  remove(place: Pick<TranscriptPlace, 'session' | 'conversation'>): Promise<void>;
}
