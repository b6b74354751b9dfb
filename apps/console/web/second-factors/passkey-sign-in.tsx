import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ProblemNotice } from '../parts/problem-notice.js'
import { platformClient } from '../platform/client.js'
import { requestSecondFactor } from '../platform/session.client.js'
import { secondFactorsTexts as texts } from '../texts/second-factors.js'
import { canUsePasskeys, usePasskeyFor } from './passkeys.client.js'

/** Signs in with a passkey alone. */
export default function PasskeySignIn({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const signingIn = useMutation({
    mutationFn: async () => {
      const asked = await platformClient.accounts.secondFactors.signInWithPasskey()
      await requestSecondFactor({ challenge: asked.challenge, passkey: await usePasskeyFor(asked) })
      await onSignedIn()
    },
  })
  if (!canUsePasskeys()) return null
  return (
    <>
      <Button variant="default" loading={signingIn.isPending} onClick={() => signingIn.mutate()}>
        {texts.signIn.passkey}
      </Button>
      {signingIn.error && <ProblemNotice error={signingIn.error} />}
    </>
  )
}
