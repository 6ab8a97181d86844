/** A CLI's conversation on this machine. */
export interface TranscriptPlace {
  /** Its session. */
  readonly session: string;
  /** The CLI's id for it. */
  readonly conversation: string;
  /** The folder that its CLI works in. */
  readonly cwd: string;
  /** The CLI's own folder. Default: that of this machine. */
  readonly configDir?: string | undefined;
  /** Increases with each owner: a later save of an earlier owner is refused. */
  readonly epoch: number;
}

/** Stores the transcripts of CLIs where every worker of a fleet finds them. */
export interface TranscriptStore {
  /** Saves what was written since the last time; cheap if nothing was. */
  save(place: TranscriptPlace): Promise<void>;
  /** Restores it for a CLI on this machine; false if there is none. An existing longer transcript stays. */
  restore(place: TranscriptPlace): Promise<boolean>;
  /** Forgets it. */
  remove(place: Pick<TranscriptPlace, 'session' | 'conversation'>): Promise<void>;
}
