import {
  type AgentApp,
  type AgentConnection,
  type AuthMethod,
  agent,
  methods,
  type Stream,
} from '@agentclientprotocol/sdk';
import { packageVersion } from '../../wire/package/built-file.js';
import { abilitiesOf, type ClientAbilities } from './client-abilities.js';
import { misuse, notLoggedIn, protocolError } from './failures.js';
import { type AcpHost, OpenSessions } from './open-sessions.js';

export type { AcpHost } from './open-sessions.js';

const PROTOCOL_VERSION = 1;
const LOGIN = 'claude-login';
const HOW_TO_LOG_IN =
  'Run `claude /login` in a terminal, or set ANTHROPIC_API_KEY for the agent, and try again.';

/** Serves one client. The host decides what happens when it disconnects. */
export function connectAgent(stream: Stream, host: AcpHost): AgentConnection {
  const served = new Served(host);
  const connection = served.app.connect(stream);
  connection.signal.addEventListener('abort', () => served.leave());
  return connection;
}

/** One client, and what it already knows. */
class Served {
  readonly app: AgentApp;
  readonly #host: AcpHost;
  readonly #gone = new AbortController();
  #abilities: ClientAbilities = abilitiesOf(undefined);
  #sessions: OpenSessions | undefined;

  constructor(host: AcpHost) {
    this.#host = host;
    this.app = agent({ name: 'coxswain' });
    this.#answerSetUp();
    this.#answerSessions();
    this.#answerTurns();
  }

  leave(): void {
    this.#gone.abort();
    this.#sessions?.leaveAll();
  }

  #answerSetUp(): void {
    this.app
      .onConnect(({ client }) => {
        const abilities = () => this.#abilities;
        this.#sessions = new OpenSessions(this.#host, { client, gone: this.#gone.signal, abilities });
      })
      .onRequest(methods.agent.initialize, ({ params }) => {
        this.#abilities = abilitiesOf(params.clientCapabilities);
        return {
          protocolVersion: PROTOCOL_VERSION,
          agentInfo: { name: 'coxswain', title: 'Coxswain', version: packageVersion() },
          agentCapabilities: CAPABILITIES,
          authMethods: [loginMethod(this.#abilities)],
        };
      })
      .onRequest(methods.agent.authenticate, ({ params: { methodId } }) => {
        if (methodId !== LOGIN) throw misuse(`There is no login method ${methodId}.`);
        throw notLoggedIn(HOW_TO_LOG_IN);
      });
  }

  #answerSessions(): void {
    const { session } = methods.agent;
    this.app
      .onRequest(session.new, ({ params }) => failing(() => this.#all.create(params)))
      .onRequest(session.load, ({ params }) =>
        failing(() => this.#all.resume(params.sessionId, params, { replay: true })),
      )
      .onRequest(session.resume, ({ params }) =>
        failing(() => this.#all.resume(params.sessionId, params, { replay: false })),
      )
      .onRequest(session.list, ({ params }) => failing(() => this.#all.list(params)))
      .onRequest(session.close, ({ params }) => failing(() => this.#all.close(params.sessionId)))
      .onRequest(session.delete, ({ params }) => failing(() => this.#all.delete(params.sessionId)));
  }

  #answerTurns(): void {
    const { session } = methods.agent;
    this.app
      .onRequest(session.prompt, ({ params, signal }) =>
        failing(() => this.#all.get(params.sessionId).prompt(params.prompt, signal)),
      )
      .onNotification(session.cancel, ({ params }) => failing(() => this.#all.get(params.sessionId).cancel()))
      .onRequest(session.setMode, ({ params }) =>
        failing(async () => {
          const open = this.#all.get(params.sessionId);
          await open.settings.setMode(params.modeId);
          await open.tellSettings();
          return {};
        }),
      )
      .onRequest(session.setConfigOption, ({ params }) =>
        failing(async () => {
          const open = this.#all.get(params.sessionId);
          await open.settings.set(params.configId, params.value);
          if (params.configId === 'mode') await open.tellSettings();
          return { configOptions: open.settings.options };
        }),
      );
  }

  get #all(): OpenSessions {
    if (this.#sessions === undefined) throw misuse('The connection is not open yet.');
    return this.#sessions;
  }
}

const CAPABILITIES = {
  loadSession: true,
  promptCapabilities: { image: true, embeddedContext: true, audio: false },
  mcpCapabilities: { http: true, sse: true },
  sessionCapabilities: { list: {}, delete: {}, additionalDirectories: {}, resume: {}, close: {} },
};

/** Log-in in a terminal is offered only to clients that can run the agent in one. */
function loginMethod({ terminalLogin }: ClientAbilities): AuthMethod {
  const method = { id: LOGIN, name: 'Log in to Claude' };
  return terminalLogin
    ? { type: 'terminal', ...method, description: 'Opens the login of the Claude CLI.', args: ['--login'] }
    : { ...method, description: HOW_TO_LOG_IN };
}

/** Failures become errors of the protocol. */
async function failing<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw protocolError(error);
  }
}
