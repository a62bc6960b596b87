/**
 * Aborts an upstream request. A request sent from this browser is aborted by its key, and its recording stays. The
 * signed URL of any other is not known here, so it can only be aborted and deleted.
 */
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { errorOf, send } from '../../api/client';
import { useScope } from '../../api/session';
import { textOf } from '../../ui/states';
import { keyOfSent } from './sent-keys';

export function Abort({ id }: { id: string }) {
  const key = keyOfSent(id);
  return key === null ? <AbortAndDelete id={id} /> : <AbortByKey requestKey={key} />;
}

function AbortByKey({ requestKey }: { requestKey: string }) {
  const abort = useMutation({
    async mutationFn() {
      const response = await send('/v1/proxy?action=abort', {
        method: 'PATCH',
        headers: { 'Idempotency-Key': requestKey },
      });
      if (!response.ok) throw await errorOf(response);
    },
  });
  return (
    <>
      {abort.error ? (
        <span role="alert" className="fault">
          {textOf(abort.error)}
        </span>
      ) : null}
      <button
        type="button"
        className="button danger"
        disabled={abort.isPending}
        onClick={() => abort.mutate()}
      >
        Abort
      </button>
    </>
  );
}

function AbortAndDelete({ id }: { id: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const remove = useMutation({
    async mutationFn() {
      const response = await send(`/v1/proxy/${encodeURIComponent(id)}`, { method: 'DELETE' });
      if (!response.ok) throw await errorOf(response);
      await navigate({ to: '/streams' });
    },
  });
  if (!useScope('proxy:admin')) return null;
  return (
    <>
      <button type="button" className="button danger" onClick={() => dialog.current?.showModal()}>
        Abort and delete
      </button>
      <dialog ref={dialog} className="dialog" aria-labelledby="abort-title">
        <h2 id="abort-title">Abort and delete this response?</h2>
        <p>
          The upstream request ends and the recorded bytes are deleted. To abort it but keep them, use the
          signed URL of the response.
        </p>
        {remove.error ? (
          <p role="alert" className="fault">
            {textOf(remove.error)}
          </p>
        ) : null}
        <form method="dialog" className="actions">
          <button type="button" className="button danger" onClick={() => remove.mutate()}>
            Abort and delete
          </button>
          <button type="submit" className="button">
            Let it run
          </button>
        </form>
      </dialog>
    </>
  );
}
