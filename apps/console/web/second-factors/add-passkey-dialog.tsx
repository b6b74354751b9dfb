import { Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { platformClient } from '../platform/client.js'
import { secondFactorsTexts as texts } from '../texts/second-factors.js'
import { OwnerForm } from './owner-form.js'
import { createPasskey } from './passkeys.client.js'

interface AddDialogProps {
  readonly opened: boolean
  readonly isFirst: boolean
  readonly onClose: () => void
  /** With the recovery codes that came with the first factor. */
  readonly onAdded: (recoveryCodes?: readonly string[]) => unknown
}

export function AddPasskeyDialog({ opened, isFirst, onClose, onAdded }: AddDialogProps) {
  const [name, setName] = useState('')
  async function add(password?: string) {
    const { secondFactors } = platformClient.accounts
    const { challenge, options } = await secondFactors.enrolPasskey({ body: { password } })
    const passkey = await createPasskey(options)
    const { recoveryCodes } = await secondFactors.confirmPasskey({ body: { challenge, name: name.trim(), passkey } })
    await onAdded(recoveryCodes)
  }
  return (
    <Modal opened={opened} onClose={onClose} title={texts.addPasskey}>
      <OwnerForm isFirst={isFirst} onSubmit={add}>
        <TextInput
          name="name"
          label={texts.passkeyName}
          description={texts.passkeyHint}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          required
          data-autofocus
        />
      </OwnerForm>
    </Modal>
  )
}
