import { Modal } from '@mantine/core'
import type { NewClientKey } from '@trestle/contracts/accounts/client-keys'
import { type ReactNode, useState } from 'react'
import { CreatedKeyNotice } from './created-key.js'

interface SecretDialogProps {
  opened: boolean
  onClose: () => void
  title: string
  doneTitle: string
  /** Beside the secret. */
  note?: string
  children: (onSecret: (key: NewClientKey) => void) => ReactNode
}

/** Asks for what makes a secret, then shows it. It cannot be shown again: only the button closes the dialog then. */
export function SecretDialog({ opened, onClose, title, doneTitle, note, children }: SecretDialogProps) {
  const [created, setCreated] = useState<NewClientKey>()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setCreated(undefined)}
      title={created ? doneTitle : title}
      size="lg"
      closeOnClickOutside={!created}
      closeOnEscape={!created}
      withCloseButton={!created}
    >
      {created ? <CreatedKeyNotice created={created} note={note} onDone={onClose} /> : children(setCreated)}
    </Modal>
  )
}
