// Tools that keep pages and documents on the vendor’s servers.
/** The input of the tool Artifact. */
export type ArtifactInput = {
  action?:
    | 'pin'
    | 'unpin'
    | 'list'
    | 'publish'
    | 'read'
    | 'list_types'
    | 'watch'
    | 'unwatch'
    | 'status'
    | 'upload_asset'
    | 'list_assets'
    | 'read_asset'
    | 'delete_asset';
  file_path?: string;
  favicon?: string;
  icon?: string;
  limit?: number;
  page_token?: string;
  scope?: 'mine' | 'shared' | 'all';
  title?: string;
  description?: string;
  label?: string;
  url?: string;
  prompt?: string;
  force?: boolean;
  pin?: boolean;
  out_dir?: string;
  file_paths?: [string, ...string[]];
  asset_id?: string;
  after?: string;
  capabilities?: Record<string, unknown>;
  contract?: string;
};

/** The output of the tool Artifact. */
export type ArtifactOutput =
  | {
      url: string;
      path: string;
      artifact_id?: string;
      title?: string;
      version?: string;
      capabilities?: unknown;
      stored?: {
        contract: string;
        preferredContract?: string;
        capabilities?: Record<string, unknown>;
        carried?: boolean;
        read?: string;
      };
      warnings?: string[];
      publishesRemaining?: number;
      publishesResetAt?: number;
      contract?: string;
      updated?: boolean;
      owned?: boolean;
      icon?: string;
      faviconSent?: true;
      iconDropped?: true;
      audience?: string;
      folder_audience?: 'others' | 'unknown';
      seq?: number;
      unchanged?: true;
      liveSubscription?: string;
      pinned?: boolean;
    }
  | {
      artifacts: {
        title: string;
        url: string;
        favicon?: string;
        updatedAt?: string;
        rel?: 'mine' | 'shared';
        external?: true;
        role?: 'editor' | 'commenter' | 'reader' | 'viewer';
        outsidersMayHaveWritten?: true;
        pinned?: boolean;
      }[];
      truncated?: boolean;
      total?: number;
      total_at_least?: true;
      next_page_token?: string;
      pins_enabled?: boolean;
      scope?: 'shared' | 'all';
      external_listed?: true;
    }
  | {
      read: {
        url: string;
        bytes: number;
        code: number;
        codeText: string;
        result: string;
        durationMs: number;
        title?: string;
      };
      owned?: boolean;
      artifactRead?: {
        slug: string;
        ver?: string;
        seeded?: false;
      };
    }
  | {
      watch: {
        url: string;
        watching: boolean;
        outcome: string;
        reason?: string;
        durable_skip_reason?: string;
        task_id?: string;
        since?: number;
        token_expires_at?: number;
        rail?: string;
        trigger_id?: string;
        durable_since?: string;
        status?: number;
        detail?: string;
        note?: string;
        events?: string[];
      };
    }
  | {
      unwatch: {
        url: string;
        was_watching: boolean;
      };
    }
  | {
      watches: (
        | {
            url: string;
            task_id: string;
            since: number;
            explicit: boolean;
            connected: boolean;
            connecting?: boolean;
            token_expires_at: number;
            armed_via?: string;
          }
        | {
            url: string;
            rail: 'durable_wake';
            trigger_id: string;
            since: string;
            events?: string[];
            restored?: boolean;
          }
        | {
            url: string;
            rail: 'live_stopped';
            since?: number;
            explicit?: boolean;
            armed_via?: string;
            stop_kind: string;
          }
      )[];
      filter_url?: string;
      arms?: {
        url: string;
        rail?: string;
        state: string;
        reconnect?: boolean;
        failures?: number;
        max_failures?: number;
        next_in_s?: number;
        last_failure?: string;
        reason?: string;
        detail?: string;
        server_message?: string;
        at?: number;
      }[];
    }
  | {
      written?: {
        url: string;
      };
      owned?: boolean;
      asset_upload: {
        id: string;
        url: string;
        size_bytes: number;
        content_type: string;
        sha256?: string;
        file_name: string;
      };
    }
  | {
      written?: {
        url: string;
      };
      owned?: boolean;
      asset_uploads: {
        url: string;
        results: [UploadedAsset, ...UploadedAsset[]];
      };
    }
  | {
      asset_list: {
        url: string;
        assets: {
          id: string;
          url: string;
          content_type: string;
          size_bytes: number;
          sha256?: string;
          created_at: string;
        }[];
        usage: {
          files: number;
          bytes: number;
          max_files: number;
          max_bytes: number;
        };
        next?: string;
        cowritten?: true;
        outside_writer?: true;
      };
    }
  | {
      asset_read: {
        id: string;
        path: string;
        size_bytes: number;
        content_type: string;
        sha256: string;
        cowritten?: true;
        outside_writer?: true;
        public_read?: true;
        foreign?: true;
      };
    }
  | {
      written?: {
        url: string;
      };
      owned?: boolean;
      asset_delete: {
        id: string;
        deleted: boolean;
      };
    }
  | {
      pin: {
        action: 'pin' | 'unpin';
        url: string;
        pinned: boolean;
        title?: string;
      };
    };

/** The input of the tool Projects. */
export type ProjectsInput = {
  method:
    | 'project_info'
    | 'project_read'
    | 'project_search'
    | 'project_write'
    | 'project_delete'
    | 'project_memory_list'
    | 'project_memory_read';
  path?: string;
  content?: string;
  local_path?: string;
  present_to_user?: boolean;
  query?: string;
  n?: number;
};

/** The output of the tool Projects. */
export type ProjectsOutput =
  | {
      method: 'project_info';
      notice?: string;
      local_file?: string;
      name: string;
      description: string;
      instructions: string;
      docs: {
        path: string;
        created_at: string | null;
      }[];
      files?: {
        path: string;
        file_kind: string;
        created_at: string | null;
      }[];
      sync_sources?: {
        type: string | null;
        config: Record<string, unknown>;
      }[];
      knowledge: {
        knowledge_size: number;
        max_knowledge_size: number;
      };
    }
  | {
      method: 'project_read';
      notice?: string;
      path: string;
      file_kind?: string;
      content?: string;
      local_file?: string;
      created_at: string | null;
    }
  | {
      method: 'project_search';
      notice?: string;
      rag: boolean;
      hits?: {
        name?: string;
        doc_uuid?: string;
        text?: string;
        image_attached?: boolean;
        page?: number;
      }[];
      docs?: string[];
    }
  | {
      method: 'project_write';
      notice?: string;
      path: string;
      doc_uuid: string;
      replaced: boolean;
      present_to_user?: boolean;
      local_path?: string;
    }
  | {
      method: 'project_delete';
      notice?: string;
      path: string;
      deleted: boolean;
    }
  | {
      method: 'project_memory_list';
      notice?: string;
      files: {
        path: string;
        size_bytes: number;
        updated_at: string | null;
        truncated: boolean;
      }[];
      truncated: boolean;
    }
  | {
      method: 'project_memory_read';
      notice?: string;
      path: string;
      content?: string;
      local_file?: string;
      size_bytes: number;
      updated_at: string | null;
      truncated: boolean;
    };

/** The input of the tool ClaudeDesign. */
export type ClaudeDesignInput = {
  operation: string;
  arguments: Record<string, unknown>;
};

/** The output of the tool ClaudeDesign. */
export type ClaudeDesignOutput = {
  operation: string;
  content: Record<string, unknown>[];
  isError?: boolean;
};

/** What became of one file. */
export type UploadedAsset =
  | {
      file_path: string;
      status: 'uploaded';
      id: string;
      url: string;
      size_bytes: number;
      content_type: string;
      sha256?: string;
      file_name: string;
    }
  | {
      file_path: string;
      status: 'failed' | 'not_attempted';
      reason: string;
      message: string;
      may_be_stored?: true;
    };

/** The input of any of these tools. */
export type AnyArtifactInput = ArtifactInput | ProjectsInput | ClaudeDesignInput;

/** The output of any of these tools. */
export type AnyArtifactOutput = ArtifactOutput | ProjectsOutput | ClaudeDesignOutput;
