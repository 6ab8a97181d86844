import type { PermissionUpdate } from '../../../wire/protocol/catalog/shapes/permissions-shapes.schemas.js';
import type { WireObject } from '../../../wire/protocol/frames.js';

/** A prompt; check its `kind`. */
export type PromptView = PermissionView | QuestionView | PlanView | ElicitationView | DialogView | BudgetView;

/** The common fields of prompts. */
export interface AnyPromptView {
  /** The id of the CLI's request, or of the server's prompt. */
  readonly id: string;
  /** The time, in milliseconds since 1970. */
  readonly at: number;
  /** The id of its tool call. */
  readonly toolUseId?: string | undefined;
  /** The subagent that asks; absent for the main conversation. */
  readonly agentId?: string | undefined;
  /** A one-line summary for lists and notifications: `Bash: npm test`. */
  readonly headline: string;
}

/** The common fields of prompts about a tool call. */
export interface AnyToolView extends AnyPromptView {
  /** The name of the tool. */
  readonly tool: string;
  /** Its input. */
  readonly input: WireObject;
  /** The CLI's short description of the call. */
  readonly title?: string | undefined;
  /** More about it, from the CLI. */
  readonly description?: string | undefined;
}

/** Whether a tool may run. */
export interface PermissionView extends AnyToolView {
  /** `permission`. */
  readonly kind: 'permission';
  /** What `allow` can remember, each with an id. */
  readonly choices: readonly PermissionChoiceView[];
  /** The CLI's suggestions behind the choices, as on the wire; absent from older servers. */
  readonly suggestions?: readonly PermissionUpdate[] | undefined;
  /** The path in question, if the CLI names one. */
  readonly blockedPath?: string | undefined;
  /** Why the CLI asks. */
  readonly decisionReason?: string | undefined;
  /** Whether the CLI's own check has denied the call, and an allow lets the model make it once more. */
  readonly wasDenied?: boolean | undefined;
}

/** Something that can be remembered with an allow: exactly what its sentence says. */
export interface PermissionChoiceView {
  /** The number of the choice and its scope: `0:session`. You may use any other scope. */
  readonly id: string;
  /** What is remembered. */
  readonly kind: 'rule' | 'directory' | 'mode' | 'other';
  /** The scope. */
  readonly scope: 'session' | 'folder' | 'project' | 'user';
  /** Its meaning, as a sentence. */
  readonly sentence: string;
  /** Its meaning in a few words, for a menu: `ls:* · this session`. */
  readonly label: string;
  /** The rules, folders or mode that it sets, in full. */
  readonly exact: readonly string[];
  /** Why the CLI will ask again anyway, if known. */
  readonly warning?: string | undefined;
}

/** Questions from the model; not a permission. */
export interface QuestionView extends AnyToolView {
  /** `question`. */
  readonly kind: 'question';
  /** The questions of the form. */
  readonly questions: readonly {
    readonly question: string;
    readonly header: string;
    readonly multiSelect: boolean;
    readonly options: readonly { readonly label: string; readonly description: string }[];
  }[];
}

/** A plan to approve; newer CLIs leave out its text. */
export interface PlanView extends AnyToolView {
  /** `plan`. */
  readonly kind: 'plan';
  /** The plan. */
  readonly plan?: string | undefined;
}

/** An MCP server asks the user to fill in a form or visit a page. */
export interface ElicitationView extends AnyPromptView {
  /** `elicitation`. */
  readonly kind: 'elicitation';
  /** The MCP server that asks. */
  readonly server: string;
  /** The server's message. */
  readonly message: string;
  /** Whether it asks for a form or for opening an address. */
  readonly mode: 'form' | 'url';
  /** The address to open. */
  readonly url?: string | undefined;
  /** The fields of the form. */
  readonly schema?: WireObject | undefined;
  /** The order of the fields. */
  readonly propertyOrder: readonly string[];
}

/** A dialog of a kind that the host supports. */
export interface DialogView extends AnyPromptView {
  /** `dialog`. */
  readonly kind: 'dialog';
  /** The kind of dialog. */
  readonly dialogKind: string;
  /** The contents of the dialog. */
  readonly payload: unknown;
}

/** A budget is spent: a message waits until somebody decides. The server asks it, not the CLI. */
export interface BudgetView extends AnyPromptView {
  /** `budget`. */
  readonly kind: 'budget';
  /** Whose budget it is: of this session, of all sessions with the same key, of this day (UTC), or of all. */
  readonly scope: 'conversation' | 'owner' | 'day' | 'total';
  /** The limit, in dollars. */
  readonly limitUsd: number;
  /** The amount spent, in dollars. */
  readonly spentUsd: number;
}

/** One choice of a question: an option's label, or free text. */
export type ChoiceInput = string | { readonly other: string };

/** An answer; the allowed ones depend on the kind of the prompt. */
export type PromptAnswer =
  // permission
  | {
      readonly answer: 'allow';
      readonly input?: WireObject | undefined;
      /** The ids of the choices to remember. */
      readonly remember?: readonly string[] | undefined;
      /** The client's own changes to rules, folders or the mode, as on the wire. */
      readonly permissions?: readonly PermissionUpdate[] | undefined;
      /** What to tell the model, which is not told that its input was changed. It is sent as a user message. */
      readonly message?: string | undefined;
    }
  | {
      readonly answer: 'deny';
      readonly reason?: string | undefined;
      readonly interrupt?: boolean | undefined;
    }
  // question: by the text of the question
  | {
      readonly answer: 'choices';
      readonly choices: Readonly<Record<string, ChoiceInput | readonly ChoiceInput[]>>;
    }
  // plan
  | {
      readonly answer: 'approve';
      readonly mode?: string | undefined;
      readonly input?: WireObject | undefined;
    }
  | { readonly answer: 'reject'; readonly feedback: string }
  // elicitation
  | { readonly answer: 'accept'; readonly content?: WireObject | undefined }
  // dialog
  | { readonly answer: 'complete'; readonly result: unknown }
  // question and elicitation
  | { readonly answer: 'decline'; readonly reason?: string | undefined }
  // elicitation and dialog
  | { readonly answer: 'cancel' }
  // budget: spend so many dollars more; send the next message; cancel the waiting messages
  | { readonly answer: 'raise'; readonly usd: number }
  | { readonly answer: 'once' }
  | { readonly answer: 'stop' }
  // any prompt of a CLI: a refusal with its reason; or the answer in wire format, made by a program
  | { readonly answer: 'refuse'; readonly reason: string }
  | { readonly answer: 'raw'; readonly value: WireObject };
