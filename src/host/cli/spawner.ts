/** A program to start somewhere. */
export interface SpawnRequest {
  /** The program: a path, or a name to look up there. */
  readonly file: string;
  /** The file of the CLI: the program itself, or a script among its arguments. */
  readonly cli: string;
  /** Its arguments; they contain no secrets. */
  readonly args: readonly string[];
  /** Its whole environment, which may contain secrets: it must not become part of a command line. */
  readonly env: Readonly<Record<string, string>>;
  /** Its working folder. `.` is the folder in which programs start there. */
  readonly cwd: string;
  /** The conversation, if it has an id already. */
  readonly conversation: string | undefined;
  /** Private files of this host, which the arguments name: the program must be able to read them. */
  readonly files: readonly string[];
  /**
   * A folder on this host for private files of the spawner's own: not created yet, removed when the program is gone.
   * Absent if the program only says its version.
   */
  readonly privateFolder?: string | undefined;
  /** Folders besides `cwd` that its tools may work in. */
  readonly writable: readonly string[];
  /** Files and folders that its options name and that it only reads, such as plugins. */
  readonly readable: readonly string[];
  /** A name for this start that no other start has: letters, digits and dashes. */
  readonly id: string;
}

/** The process that this host starts for a program. Its standard streams are those of the program. */
export interface SpawnCommand {
  /** The program to start on this host. */
  readonly file: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Its working folder. Default: that of this host. */
  readonly cwd?: string | undefined;
  /**
   * Ends what signals to this process do not reach, such as a container, and removes copied files. It is called once,
   * after the process has ended or could not be started. It must end in a few seconds and never reject.
   */
  readonly end?: (() => Promise<void>) | undefined;
}

/**
 * Where and as whom a CLI runs. `spawnerContract` in `coxswain/testing` checks an implementation.
 */
export interface Spawner {
  /** Its name in summaries and errors, such as `bubblewrap`. */
  readonly name: string;
  /** Whether programs are looked up there and not on this host, as in the image of a container. */
  readonly hasOwnPrograms: boolean;
  /** Whether the working folder is there and not on this host, as on another machine. */
  readonly hasOwnFolders: boolean;
  /**
   * Checks that the program can be started there, copies or mounts its files, and says what this host has to start.
   * Rejects with a clear error before anything runs: an unknown image, host or folder.
   */
  prepare(request: SpawnRequest): Promise<SpawnCommand>;
}
