/**
 * The differences between versions, each with the ledger fact that decides it: a trait holds if its fact is `pass`.
 * A few have no requirement of their own and use one that changed between the same two probed versions.
 */
export const traitFacts = {
  /**
   * Whether messages have the many additional keys of newer CLIs: timestamps, the uuids they answer, reasons.
   */
  detailed: 'handshake:tells-about-itself',

  // The handshake
  tellsAboutItself: 'handshake:tells-about-itself',
  listsPromptsBeside: 'handshake:pending-beside',
  servesSecondHandshake: 'handshake:again',
  listsPromptsAgain: 'handshake:again-lists-prompts',
  takesAgents: 'handshake:agents',
  answersWithAgents: 'handshake:agents-answered',
  checksHooks: 'handshake:bad-hooks',
  takesSystemPrompt: 'handshake:system-prompt',
  takesEmptySystemPrompt: 'handshake:empty-system-prompt',
  takesPromptLists: 'handshake:system-prompt-list',
  takesAppendedPrompt: 'handshake:append-system-prompt',
  takesJsonSchema: 'handshake:json-schema',
  /** Whether an unusable schema on the command line ends the CLI. */
  checksJsonSchema: 'schema:bad-flag',
  takesOtherKeywords: 'schema:unknown-keyword',
  takesFormats: 'schema:format',
  takesAnyFormat: 'schema:unknown-format',
  takesSkills: 'handshake:skills',
  takesTitle: 'handshake:title',
  answersBeforeServers: 'handshake:before-process-servers',

  // Requests and answers
  refusesUnknownRequests: 'envelope:unknown-subtype',
  namesErrorCodes: 'envelope:error-code',
  answersOnce: 'envelope:one-answer',
  givesReceipt: 'interrupt:receipt',
  cancelsQueued: 'interrupt:cancel-queued',
  startsInDefaultMode: 'mode:at-start',
  checksMode: 'mode:unknown',
  tellsMode: 'mode:told',
  refusesUnaskedBypass: 'mode:bypass-unasked',
  knowsDontAsk: 'mode:dont-ask',
  namesModel: 'model:answer-names-it',
  replaysModelLine: 'model:replayed-line',
  changesModelAtOnce: 'model:mid-turn',
  suggestsWithFolder: 'endpoint:file_suggestions',
  updatesUserSettings: 'endpoint:update_settings',
  checksFlagSettings: 'settings:bad-flags',
  tellsTitle: 'session:renamed',
  tellsProgress: 'session:side-question',
  endsTurnFirst: 'end:end-session-in-turn',
  tellsRewind: 'rewind:can-rewind',
  rewindsFiles: 'rewind:restores',
  dryRunIsHarmless: 'rewind:dry-run-harmless',
  setsThinkingBudget: 'thinking:budget',

  // Turns
  answersEachMessage: 'turn:one-result-each',
  dropsRepeatedMessages: 'turn:repeated-uuid',
  marksReplays: 'turn:replay',
  reportsLifecycle: 'turn:lifecycle',
  tellsActivity: 'turn:state-events',
  namesApiErrors: 'turn:api-failure',
  tellsRetries: 'turn:api-retry',
  tellsCompaction: 'turn:compact',
  tellsReset: 'turn:clear',
  reportsLimits: 'limits:reported',
  reportsLimitWindows: 'limits:all-windows',
  startsWithEmptyMessage: 'partial:empty-start',
  errorResultsAreErrors: 'interrupt:is-error',
  keepsAbortedText: 'interrupt:keeps-text',
  tellsTasks: 'task:started',
  stopsUnknownTasks: 'endpoint:stop_task',
  tellsStoppedTasks: 'task:stopped',
  runsUnaskedTurns: 'task:unasked-turn',
  listsTasksUntilTold: 'task:listed-until-told',
  tellsTasksInTurn: 'task:told-in-turn',
  hearsOfTasksInTurn: 'task:heard-in-turn',

  // What a resumed conversation sends again, and what results count
  keepsPrompt: 'cache:resumed',
  keepsParallelCalls: 'cache:parallel-calls',
  keepsReminders: 'cache:large',
  keepsDate: 'cache:next-day',
  keepsGitStatus: 'cache:git-status',
  sortsServers: 'cache:server-order',
  continuesCosts: 'cost:carried-over',
  tellsLastUsage: 'cost:since-last-result',
  tellsFirstRequest: 'cost:first-request',
  countsTornReplies: 'cost:torn-reply',

  // Prompts
  namesPromptedCall: 'permission:prompt',
  hasDisplayNames: 'permission:display-name',
  allowsWithoutInput: 'permission:without-input',
  emptyInputChangesNothing: 'permission:empty-input',
  passesOverBadUpdates: 'permission:bad-update',
  keepsDenialMessage: 'permission:deny-interrupt-message',
  asksQuestions: 'question:asked',
  takesAnswersAlone: 'question:answers-alone',
  elicits: 'elicitation:form',
  withdrawsForms: 'elicitation:interrupt',

  // Hooks
  hookMayChangeInput: 'hook:allow-changed-input',
  hookMayOnlyChangeInput: 'hook:changed-input-alone',
  hookMayForceAsking: 'hook:ask',
  defersCalls: 'hook:defer',
  makesDeferredCalls: 'resume:deferred-call',
  hearsHooksBeforeTools: 'hook:context-before',
  tellsWhyPromptIsBlocked: 'hook:prompt-block-reason',
  refusesOtherEvents: 'hook:wrong-event',
  blocksWhereAskedTo: 'hook:on-failure-block',
  hooksTimeOut: 'hook:timeout-withdrawn',
  lateHooksBlock: 'hook:timeout-blocks',

  // MCP servers
  greetsAtStart: 'mcp:greeted-at-start',
  greetsOnce: 'mcp:named-twice',
  setServersBringResources: 'mcp-set:resources',
  greetsAtHandshake: 'mcp:greeted-at-handshake',
  heedsMcpTimeout: 'mcp:timeout-variable',
  leavesOutNamelessServers: 'mcp:missing-name',
  tellsOfNamelessServers: 'mcp:missing-name-told',
  heedsListChanges: 'mcp:list-changed',
  listsServerTools: 'mcp-status:tools',
  setsInProcessServers: 'mcp-set:in-process',
  keepsGivenServers: 'mcp-set:keeps-in-process',
  reconnectsGivenServers: 'mcp-reconnect:command-line',
  setsTakeOverServers: 'mcp-set:takes-over',
  stopsSwitchedServers: 'mcp-toggle:stops-calls',
  stopsConnectingServers: 'mcp-toggle:while-connecting',
  togglesInProcessServers: 'mcp-toggle:status',

  // Ends
  tellsUnknownSession: 'resume:unknown-told',
  keepsKilledSession: 'resume:after-kill',
  keepsKilledReply: 'resume:reply-after-kill',
  sigintGivesResult: 'end:sigint-result',
  endsOnSighup: 'end:sighup',
  /**
   * Without it, a broken pipe ends the process, agents are warmed up, failed servers have no error, and it
   * dies with a message.
   */
  survivesLostReader: 'line:environment',
} as const satisfies Readonly<Record<string, string>>;

/** A difference between versions. */
export type Trait = keyof typeof traitFacts;
