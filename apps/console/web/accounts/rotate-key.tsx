import { Button, Select, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ClientKey, NewClientKey } from '@trestle/contracts/accounts/client-keys'
import { useState } from 'react'
import { SubmitForm } from '../parts/submit-form.js'
import { exactTime } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { keysTexts as texts } from '../texts/keys.js'
import { CLIENT_KEYS } from './new-key.js'
import { SecretDialog } from './secret-dialog.js'

/** For how long the old secret stays valid, in seconds. */
const KEY_GRACES = ['0', '3600', '86400', '604800'] as const
type KeyGrace = (typeof KEY_GRACES)[number]

/** Gives a key another secret. */
export function RotateKeyButton({ of: key }: { of: ClientKey }) {
  const [opened, { open, close }] = useDisclosure()
  const [grace, setGrace] = useState<KeyGrace>('86400')
  const [note, setNote] = useState<string>()
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open}>
        {texts.rotate}
      </Button>
      <SecretDialog
        opened={opened}
        onClose={close}
        title={texts.rotateTitle(key.name ?? key.id)}
        doneTitle={texts.rotatedTitle}
        note={note}
      >
        {(onSecret) => (
          <RotateForm
            of={key}
            grace={grace}
            onGrace={setGrace}
            onRotated={(rotated) => {
              setNote(formerSecretNote(grace, new Date()))
              onSecret(rotated)
            }}
          />
        )}
      </SecretDialog>
    </>
  )
}

interface RotateFormProps {
  of: ClientKey
  grace: KeyGrace
  onGrace: (grace: KeyGrace) => void
  onRotated: (rotated: NewClientKey) => void
}

export function RotateForm({ of: { id }, grace, onGrace, onRotated }: RotateFormProps) {
  const client = useQueryClient()
  const rotating = useMutation({
    mutationFn: () => platformClient.accounts.clientKeys.rotate({ params: { id }, body: { graceSeconds: Number(grace) } }),
    onSuccess: async (rotated) => {
      onRotated(rotated)
      await client.invalidateQueries({ queryKey: CLIENT_KEYS })
    },
  })
  return (
    <SubmitForm action={texts.rotate} submission={rotating} problem={rotating.error} button="right">
      <Text>{texts.rotateText}</Text>
      <Select
        label={texts.grace}
        data={KEY_GRACES.map((value) => ({ value, label: texts.graces[value] }))}
        value={grace}
        onChange={(value) => onGrace(KEY_GRACES.find((each) => each === value) ?? grace)}
        allowDeselect={false}
      />
    </SubmitForm>
  )
}

function formerSecretNote(grace: KeyGrace, now: Date): string {
  const seconds = Number(grace)
  return seconds === 0 ? texts.formerEnded : texts.formerUntil(exactTime(now.getTime() + seconds * 1000))
}
