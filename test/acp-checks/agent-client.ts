import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import {
  type ClientCapabilities,
  type ClientConnection,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type InitializeResponse,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type Stream,
} from '@agentclientprotocol/sdk';

/** How to start an agent. */
export interface AgentCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Answers requests of an agent. */
export interface ClientAnswers {
  readonly capabilities?: ClientCapabilities;
  readonly permission?: (
    request: RequestPermissionRequest,
    signal: AbortSignal,
  ) => RequestPermissionResponse | Promise<RequestPermissionResponse>;
  readonly elicitation?: (
    request: CreateElicitationRequest,
  ) => CreateElicitationResponse | Promise<CreateElicitationResponse>;
}

/** A client of the protocol's own library, with an agent that it knows only by its stream. */
export class AgentClient implements AsyncDisposable {
  /** Every update, in order. */
  readonly updates: SessionUpdate[] = [];
  readonly permissions: RequestPermissionRequest[] = [];
  readonly forms: CreateElicitationRequest[] = [];
  readonly connection: ClientConnection;
  readonly #waiting = new Set<() => void>();

  constructor(stream: Stream, answers: ClientAnswers = {}) {
    this.connection = client({ name: 'checks' })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.updates.push(params.update);
        this.#wake();
      })
      .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
        this.permissions.push(params);
        this.#wake();
        return answers.permission?.(params, signal) ?? { outcome: { outcome: 'cancelled' } };
      })
      .onRequest(methods.client.elicitation.create, ({ params }) => {
        this.forms.push(params);
        this.#wake();
        return answers.elicitation?.(params) ?? { action: 'cancel' };
      })
      .connect(stream);
    void this.connection.closed.then(() => this.#wake());
  }

  get agent(): ClientConnection['agent'] {
    return this.connection.agent;
  }

  initialize(clientCapabilities: ClientCapabilities = {}): Promise<InitializeResponse> {
    return this.agent.request('initialize', { protocolVersion: 1, clientCapabilities });
  }

  /** Starts a session in a folder. */
  async begin(cwd: string): Promise<string> {
    return (await this.agent.request('session/new', { cwd, mcpServers: [] })).sessionId;
  }

  async prompt(sessionId: string, text: string): Promise<string> {
    const { stopReason } = await this.agent.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text }],
    });
    return stopReason;
  }

  /** The agent's text so far. */
  get text(): string {
    return this.of('agent_message_chunk')
      .map(({ content }) => (content.type === 'text' ? content.text : ''))
      .join('');
  }

  /** The updates of one kind. */
  of<Kind extends SessionUpdate['sessionUpdate']>(
    kind: Kind,
  ): readonly Extract<SessionUpdate, { sessionUpdate: Kind }>[] {
    return this.updates.filter(
      (update): update is Extract<SessionUpdate, { sessionUpdate: Kind }> => update.sessionUpdate === kind,
    );
  }

  /** Waits until a condition holds; fails if the agent exits first. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.connection.signal.aborted) throw new Error('the agent has gone');
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.connection.close();
    await this.connection.closed;
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

/** A client with an agent that it has started. */
export class StartedAgent extends AgentClient {
  stderr = '';
  readonly child: ChildProcessWithoutNullStreams;
  /** How the process ended. */
  readonly exited: Promise<number | string>;

  constructor({ file, args, cwd, env }: AgentCommand, answers?: ClientAnswers) {
    const child = spawn(file, [...args], { cwd, env: env as NodeJS.ProcessEnv });
    const readable = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
    super(ndJsonStream(Writable.toWeb(child.stdin) as WritableStream<Uint8Array>, readable), answers);
    this.child = child;
    child.stdin.on('error', () => {});
    child.stderr.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.exited = once(child, 'exit').then(([code, signal]) => code ?? signal);
  }

  /** Closes the pipe and waits for the end of the agent. */
  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    this.child.stdin.end();
    await this.exited;
  }
}
