import { useContext, useEffect, useState } from 'react';
import { Picture } from '../conversation/block-list.js';
import { SessionContext } from '../conversation/session-context.js';
import { useReach } from '../store/context.js';
import { PathButton } from './path-button.js';

/** An image in a file of the session's folder; a link to the file if it cannot be shown. */
export function FilePicture({ path, alt }: { path: string; alt: string }) {
  const { link } = useReach();
  const { session } = useContext(SessionContext);
  const [source, setSource] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    link.command('file', { path }, { session }).then(
      ({ image }) => isCurrent && image !== undefined && setSource(`data:${image.type};base64,${image.data}`),
      // The link stays.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [link, session, path]);
  if (source === undefined) return <PathButton place={{ path }}>{alt === '' ? path : alt}</PathButton>;
  return <Picture source={source} alt={alt === '' ? path : alt} />;
}
