import { Center, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Hash } from '../parts/copy-button.js'
import { SubmitForm } from '../parts/submit-form.js'
import { platformClient } from '../platform/client.js'
import { secondFactorsTexts as texts } from '../texts/second-factors.js'
import { OwnerForm } from './owner-form.js'
import { QrCode } from './qr-code.js'

interface AddDialogProps {
  readonly opened: boolean
  readonly isFirst: boolean
  readonly onClose: () => void
  /** With the recovery codes that came with the first factor. */
  readonly onAdded: (recoveryCodes?: readonly string[]) => unknown
}

interface Enrolment {
  readonly secret: string
  readonly uri: string
}

export function AddAppDialog({ opened, isFirst, onClose, onAdded }: AddDialogProps) {
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const begin = async (password?: string) => setEnrolment(await platformClient.accounts.secondFactors.enrolTotp({ body: { password } }))
  return (
    <Modal opened={opened} onClose={onClose} onExitTransitionEnd={() => setEnrolment(undefined)} title={texts.addApp}>
      {enrolment ? <ConfirmApp enrolment={enrolment} onAdded={onAdded} /> : <OwnerForm isFirst={isFirst} onSubmit={begin} />}
    </Modal>
  )
}

function ConfirmApp({ enrolment: { secret, uri }, onAdded }: { enrolment: Enrolment } & Pick<AddDialogProps, 'onAdded'>) {
  const [code, setCode] = useState('')
  const confirming = useMutation({
    mutationFn: async () => {
      const { recoveryCodes } = await platformClient.accounts.secondFactors.confirmTotp({ body: { code: code.trim() } })
      await onAdded(recoveryCodes)
    },
  })
  return (
    <SubmitForm action={texts.confirm} submission={confirming} problem={confirming.error} button="right">
      <Text size="sm">{texts.scan}</Text>
      <Center>
        <QrCode text={uri} label={texts.qr} />
      </Center>
      <Stack gap={0}>
        <Text size="sm">{texts.manual}</Text>
        <Hash value={secret} label={texts.secret} />
      </Stack>
      <TextInput
        name="code"
        label={texts.code}
        description={texts.codeHint}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        data-autofocus
      />
    </SubmitForm>
  )
}
