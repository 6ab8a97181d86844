// Tools that ask and tell the user.
import type { EffortLevel } from '../option-types.js';

/** The input of the tool AskUserQuestion. */
export type AskUserQuestionInput = {
  questions: [Question] | TwoToFour<Question>;
  answers?: Record<string, string>;
  annotations?: Record<
    string,
    {
      preview?: string;
      notes?: string;
    }
  >;
  metadata?: {
    source?: string;
  };
};

/** The output of the tool AskUserQuestion. */
export type AskUserQuestionOutput = {
  questions: Question[];
  answers: Record<string, string>;
  response?: string;
  annotations?: Record<
    string,
    {
      preview?: string;
      notes?: string;
      unanswered?: 'skipped' | 'replied_in_chat' | 'dismissed';
    }
  >;
  afkTimeoutMs?: number;
};

/** The input of the tool EnterPlanMode. */
// biome-ignore lint/complexity/noBannedTypes: the tool takes nothing.
export type EnterPlanModeInput = {};

/** The output of the tool EnterPlanMode. */
export type EnterPlanModeOutput = {
  message: string;
};

/** The input of the tool ExitPlanMode. */
export type ExitPlanModeInput = {
  allowedPrompts?: {
    tool: 'Bash';
    prompt: string;
  }[];
  [key: string]: unknown;
};

/** The output of the tool ExitPlanMode. */
export type ExitPlanModeOutput = {
  plan: string | null;
  isAgent: boolean;
  filePath?: string;
  hasTaskTool?: boolean;
  planWasEdited?: boolean;
  awaitingLeaderApproval?: boolean;
  requestId?: string;
};

/** The input of the tool SetGoal. */
export type ProposeGoalInput = {
  condition: string;
  ask_user?: boolean;
};

/** The output of the tool SetGoal. */
export type ProposeGoalOutput = {
  condition: string;
  askUser: boolean;
};

/** The input of the tool propose_skills. */
export type ProposeSkillsInput = {
  proposals: UpToThree<SkillProposal>;
};

/** The output of the tool propose_skills. */
export type ProposeSkillsOutput = {
  proposalCount: number;
};

/** The input of the tool PushNotification. */
export type PushNotificationInput = {
  message: string;
  status?: 'proactive';
};

/** The output of the tool PushNotification. */
export type PushNotificationOutput = {
  message: string;
  pushSent?: boolean;
  localSent?: boolean;
  disabledReason?: 'config_off' | 'user_present' | 'no_transport';
  sentAt?: string;
};

/** The input of the tool ReadNotifications. */
// biome-ignore lint/complexity/noBannedTypes: the tool takes nothing.
export type ReadNotificationsInput = {};

/** The output of the tool ReadNotifications. */
export type ReadNotificationsOutput = {
  notifications: {
    notification_id: string;
    origin: string;
    queued_at: string;
    content: string;
    arrived_at?: string;
  }[];
  remaining: number;
  read_at?: string;
};

/** The input of the tool ReportFindings. */
export type ReportFindingsInput = {
  level?: EffortLevel;
  findings: Finding[];
};

/** The output of the tool ReportFindings. */
export type ReportFindingsOutput = {
  count: number;
  level?: EffortLevel;
  findings: Finding[];
};

/** The input of the tool SendFeedback. */
export type SendFeedbackInput = {
  type: 'bug' | 'idea' | 'missing_capability';
  title: string;
  details: string;
  area?: string;
  failure_mode?:
    | 'instruction_following'
    | 'destructive_actions'
    | 'code_quality'
    | 'repetition_and_looping'
    | 'model_regression'
    | 'overconfidence_and_hallucination'
    | 'context_and_memory'
    | 'overeager'
    | 'over_correction'
    | 'stopping_short'
    | 'dispute_or_decline'
    | 'subagent_overspawn'
    | 'tone_or_preachiness'
    | 'excessive_questions'
    | 'unwanted_scope'
    | 'other';
  task_category?: 'plan' | 'other' | 'code_edit' | 'debug' | 'explain' | 'shell' | 'search' | 'review';
};

/** The output of the tool SendFeedback. */
export type SendFeedbackOutput = {
  success: boolean;
  message: string;
};

/** The input of the tool OfferChromeSetup. */
export type OfferChromeSetupInput = {
  reason?: string;
};

/** The output of the tool OfferChromeSetup. */
export type OfferChromeSetupOutput = {
  outcome: 'connected' | 'not_now' | 'no_attempt_yet';
};

/** The input of the tool ShowOnboardingRolePicker. */
// biome-ignore lint/complexity/noBannedTypes: the tool takes nothing.
export type ShowOnboardingRolePickerInput = {};

/** The output of the tool ShowOnboardingRolePicker. */
export type ShowOnboardingRolePickerOutput = {
  role?: string;
  dismissed?: boolean;
};

/** A question to the user. */
export type Question = {
  question: string;
  header: string;
  options: TwoToFour<QuestionOption>;
  multiSelect: boolean;
};

/** A possible answer. */
export type QuestionOption = {
  label: string;
  description: string;
  preview?: string;
};

/** A proposed skill. */
export type SkillProposal = {
  name: string;
  kind: 'new' | 'improvement';
  target?: string;
  description: string;
  evidence?: string[];
  edits?: [SkillEdit, ...SkillEdit[]];
  skillMd?: string;
};

/** A change of a skill. */
export type SkillEdit = { old_string: string; new_string: string };

/** A fault that a review found. */
export type Finding = {
  file: string;
  line?: number;
  summary: string;
  short_summary?: string;
  failure_scenario: string;
  category?: string;
  verdict?: 'CONFIRMED' | 'PLAUSIBLE';
  outcome?: 'fixed' | 'skipped' | 'no_change_needed';
};

/** Two, three or four of a kind. */
export type TwoToFour<T> = [T, T] | [T, T, T] | [T, T, T, T];

/** One, two or three of a kind. */
export type UpToThree<T> = [T] | [T, T] | [T, T, T];

/** The input of any of these tools. */
export type AnyTalkInput =
  | AskUserQuestionInput
  | EnterPlanModeInput
  | ExitPlanModeInput
  | ProposeGoalInput
  | ProposeSkillsInput
  | PushNotificationInput
  | ReadNotificationsInput
  | ReportFindingsInput
  | SendFeedbackInput
  | OfferChromeSetupInput
  | ShowOnboardingRolePickerInput;

/** The output of any of these tools. */
export type AnyTalkOutput =
  | AskUserQuestionOutput
  | EnterPlanModeOutput
  | ExitPlanModeOutput
  | ProposeGoalOutput
  | ProposeSkillsOutput
  | PushNotificationOutput
  | ReadNotificationsOutput
  | ReportFindingsOutput
  | SendFeedbackOutput
  | OfferChromeSetupOutput
  | ShowOnboardingRolePickerOutput;
