import type { PermissionUpdate } from '../../../wire/protocol/catalog/shapes/permissions-shapes.schemas.js';
import type { WireObject } from '../../../wire/protocol/frames.js';

/** A prompt; `kind` tells which. */
export type PromptView = PermissionView | QuestionView | PlanView | ElicitationView | DialogView | BudgetView;

/** What every prompt tells. */
export interface AnyPromptView {
  /** The id of the CLI's request, or of the server's question. */
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** The tool use that it is about. */
  readonly toolUseId?: string | undefined;
  /** The subagent that asks; the main conversation otherwise. */
  readonly agentId?: string | undefined;
  /** What it is about in a line, for lists and notifications: `Bash: npm test`. */
  readonly headline: string;
}

/** What every prompt about a tool call tells. */
export interface AnyToolView extends AnyPromptView {
  /** The name of the tool. */
  readonly tool: string;
  /** Its input. */
  readonly input: WireObject;
  /** What the call does, in a few words of the CLI. */
  readonly title?: string | undefined;
  /** More about it, from the CLI. */
  readonly description?: string | undefined;
}

/** Whether a tool may run. */
export interface PermissionView extends AnyToolView {
  /** `permission`. */
  readonly kind: 'permission';
  /** What can be remembered with `allow`, each by its id. */
  readonly choices: readonly PermissionChoiceView[];
  /** The path that the CLI names. */
  readonly blockedPath?: string | undefined;
  /** Why the CLI asks. */
  readonly decisionReason?: string | undefined;
}

/** Something that can be remembered with an allow: exactly what its sentence says. */
export interface PermissionChoiceView {
  /** The number of the choice and its scope: `0:session`. Any other scope may be put in its place. */
  readonly id: string;
  /** What is remembered. */
  readonly kind: 'rule' | 'directory' | 'mode' | 'other';
  /** How far it reaches. */
  readonly scope: 'session' | 'folder' | 'project' | 'user';
  /** What it means, for people. */
  readonly sentence: string;
  /** Why the CLI will go on asking all the same, where that is known. */
  readonly warning?: string | undefined;
}

/** A form of questions by the model; never a matter of allow or deny. */
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

/** A plan to approve; newer CLIs leave its text out here. */
export interface PlanView extends AnyToolView {
  /** `plan`. */
  readonly kind: 'plan';
  /** The plan. */
  readonly plan?: string | undefined;
}

/** An MCP server asks for a form to be filled in, or for a page to be visited. */
export interface ElicitationView extends AnyPromptView {
  /** `elicitation`. */
  readonly kind: 'elicitation';
  /** The MCP server that asks. */
  readonly server: string;
  /** What the server asks. */
  readonly message: string;
  /** Whether it wants a form filled in or an address opened. */
  readonly mode: 'form' | 'url';
  /** The address to open. */
  readonly url?: string | undefined;
  /** The fields of the form. */
  readonly schema?: WireObject | undefined;
  /** The order of the fields. */
  readonly propertyOrder: readonly string[];
}

/** A dialog of a kind that the host said it can show. */
export interface DialogView extends AnyPromptView {
  /** `dialog`. */
  readonly kind: 'dialog';
  /** The kind of dialog. */
  readonly dialogKind: string;
  /** What it is to show. */
  readonly payload: unknown;
}

/** A budget is spent: a message waits until somebody decides. The server asks it, not the CLI. */
export interface BudgetView extends AnyPromptView {
  /** `budget`. */
  readonly kind: 'budget';
  /** Whose budget it is: of this session, of all that were opened with the same key, of this day (UTC), or of all. */
  readonly scope: 'conversation' | 'owner' | 'day' | 'total';
  /** What may be spent, in dollars. */
  readonly limitUsd: number;
  /** What was spent, in dollars. */
  readonly spentUsd: number;
}

/** One choice of a question: an option's label, or free text. */
export type ChoiceInput = string | { readonly other: string };

/** An answer; which ones a prompt takes goes by its kind. */
export type PromptAnswer =
  // permission
  | {
      readonly answer: 'allow';
      readonly input?: WireObject | undefined;
      /** The ids of the choices to remember. */
      readonly remember?: readonly string[] | undefined;
      /** Changes of the client's own to rules, folders or the mode, as the wire takes them. */
      readonly permissions?: readonly PermissionUpdate[] | undefined;
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
  // budget: this session may spend so many dollars more; its next message is sent; what waits is taken back
  | { readonly answer: 'raise'; readonly usd: number }
  | { readonly answer: 'once' }
  | { readonly answer: 'stop' }
  // any prompt of a CLI: a refusal with its reason; or the answer as the wire takes it, made by a program
  | { readonly answer: 'refuse'; readonly reason: string }
  | { readonly answer: 'raw'; readonly value: WireObject };
