import { describeCliRequests } from '../entries.js';

/** Requests with which the CLI asks its host for credentials. */
export const credentialRequests = describeCliRequests({
  oauth_token_refresh: {
    reach: 'account',
    answer: 'value',
    needs: 'CLAUDE_CODE_SDK_HAS_OAUTH_REFRESH=1',
    about: 'Asks for a new access token when the current one was refused or expires.',
  },
  host_auth_token_refresh: {
    reach: 'account',
    answer: 'value',
    needs: 'CLAUDE_CODE_SDK_HAS_HOST_AUTH_REFRESH=1',
    about: 'Asks for a new token of the host’s own authentication.',
  },
  remote_control_work_secret: {
    reach: 'account',
    answer: 'value',
    about: 'Asks for the secret that lets a session be controlled from elsewhere.',
  },
});
