import { useState } from 'react';
import { logOut } from '../link/login.js';
import { failureText } from '../store/context.js';
import { Question } from '../ui/question.js';

/** Signs this browser out, whatever its role. */
export function SignOut() {
  const [asks, setAsks] = useState(false);
  const [problem, setProblem] = useState<string>();
  const signOut = async () => {
    try {
      await logOut();
    } catch (error) {
      setProblem(failureText(error));
      return false;
    }
    // Nothing that this browser has seen stays on the page.
    location.reload();
    return true;
  };
  return (
    <>
      <button type="button" className="quiet" onClick={() => setAsks(true)}>
        Sign out
      </button>
      {asks && (
        <Question
          title="Sign this browser out?"
          yes="Sign out"
          onYes={signOut}
          onClose={() => setAsks(false)}
        >
          <p>To come back, you need a key or a code from another device. Sessions continue.</p>
          {problem !== undefined && <p className="problem">{problem}</p>}
        </Question>
      )}
    </>
  );
}
