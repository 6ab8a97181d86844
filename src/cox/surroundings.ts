/** What a command may touch of the world around it. */
export interface Surroundings {
  /** Data, for people and programs. */
  readonly writeOut: (text: string) => void;
  /** Everything else. */
  readonly writeErr: (text: string) => void;
  readonly cwd: string;
  readonly platform: string;
  /** Resolves with the name of the first signal that asks to end. */
  readonly untilSignal: () => Promise<NodeJS.Signals>;
}

/** The surroundings of this process. */
export function processSurroundings(): Surroundings {
  // A reader that left, such as `head`, is no reason to crash.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  return {
    writeOut: (text) => void process.stdout.write(text),
    writeErr: (text) => void process.stderr.write(text),
    cwd: process.cwd(),
    platform: process.platform,
    untilSignal,
  };
}

/** After the first signal the default is back, so that a second one ends the process at once. */
function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      for (const each of SIGNALS) process.off(each, onSignal);
      resolve(signal);
    };
    for (const each of SIGNALS) process.on(each, onSignal);
  });
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
