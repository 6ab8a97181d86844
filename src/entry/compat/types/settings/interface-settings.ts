/** How the CLI looks and behaves in a terminal. */
export type InterfaceSettings = {
  theme?: string;
  tui?: 'default' | 'fullscreen';
  viewMode?: 'default' | 'verbose' | 'focus';
  defaultView?: 'chat' | 'transcript';
  verbose?: boolean;
  editorMode?: 'normal' | 'vim';
  vimInsertModeRemaps?: Record<string, unknown>;
  keybindingFlavor?: 'classic' | 'readline';
  statusLine?: {
    type: 'command';
    command: string;
    padding?: number;
    refreshInterval?: number;
    hideVimModeIndicator?: boolean;
  };
  subagentStatusLine?: { type: 'command'; command: string };
  fileSuggestion?: { type: 'command'; command: string };
  footerLinksRegexes?: (
    | { type: 'regex'; pattern: string; url: string; label?: string; [key: string]: unknown }
    | { type: string; [key: string]: unknown }
  )[];
  prUrlTemplate?: string;
  spinnerTipsEnabled?: boolean;
  spinnerTipsOverride?: {
    excludeDefault?: boolean;
    tips?: (string | Record<string, unknown>)[];
    tipsFile?: string;
    label?: string;
    /** Other keys that a CLI knows. */
    [key: string]: unknown;
  };
  spinnerVerbs?: { mode: 'append' | 'replace'; verbs: string[] };
  spellcheck?: {
    enabled?: boolean;
    checker?: string;
    language?: string;
    color?: string;
    /** Other keys that a CLI knows. */
    [key: string]: unknown;
  };
  timeFormat?: string;
  timeZone?: string;
  maxProseWidth?: number;
  autoScrollEnabled?: boolean;
  emojiCompletionEnabled?: boolean;
  prefersReducedMotion?: boolean;
  promptSuggestionEnabled?: boolean;
  showClearContextOnPlanAccept?: boolean;
  showMessageTimestamps?: boolean;
  showThinkingSummaries?: boolean;
  showTurnDuration?: boolean;
  syntaxHighlightingDisabled?: boolean;
  terminalProgressBarEnabled?: boolean;
  terminalTitleFromRename?: boolean;
  wheelScrollAccelerationEnabled?: boolean;
  voice?: { enabled?: boolean; mode?: 'hold' | 'tap'; autoSubmit?: boolean };
  voiceEnabled?: boolean;
  preferredNotifChannel?:
    | 'auto'
    | 'ghostty'
    | 'iterm2'
    | 'iterm2_with_bell'
    | 'kitty'
    | 'notifications_disabled'
    | 'terminal_bell';
  agentPushNotifEnabled?: boolean;
  inputNeededNotifEnabled?: boolean;
  feedbackDrafts?: 'notify' | 'off' | 'quiet';
  feedbackSurveyRate?: number;
};
