import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FactorAnswer, FactorChallenge } from '@trestle/contracts/accounts/second-factors'
import { useState } from 'react'
import { SubmitForm } from '../parts/submit-form.js'
import { requestSecondFactor } from '../platform/session.client.js'
import { secondFactorsTexts } from '../texts/second-factors.js'
import { usePasskeyFor } from './passkeys.client.js'

const texts = secondFactorsTexts.challenge

/** Answers a challenge, with a code or a passkey. */
export function FactorForm({ challenge, onProven }: { challenge: FactorChallenge; onProven: () => unknown }) {
  const [code, setCode] = useState('')
  const answering = useMutation({
    mutationFn: async (answer: () => Promise<Omit<FactorAnswer, 'challenge'>>) => {
      await requestSecondFactor({ challenge: challenge.challenge, ...(await answer()) })
      await onProven()
    },
  })
  const submission = { mutate: () => answering.mutate(async () => ({ code: code.trim() })), isPending: answering.isPending }
  const { methods } = challenge
  return (
    <SubmitForm action={texts.submit} submission={submission} problem={answering.error} button="wide">
      {methods.includes('passkey') && (
        <Button variant="light" onClick={() => answering.mutate(async () => ({ passkey: await usePasskeyFor(challenge) }))}>
          {texts.passkey}
        </Button>
      )}
      <TextInput
        name="code"
        label={texts.code}
        description={methods.includes('totp') ? texts.codeHint : texts.recoveryHint}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        autoComplete="one-time-code"
        required
        data-autofocus
        autoFocus
      />
    </SubmitForm>
  )
}
