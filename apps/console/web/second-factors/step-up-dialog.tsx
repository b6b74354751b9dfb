import { Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Problem } from '@trestle/problem/problem'
import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { ProviderButtons } from '../accounts/provider-buttons.js'
import { Loaded } from '../parts/loaded.js'
import { platformClient } from '../platform/client.js'
import { stepUps } from '../platform/step-ups.engine.js'
import { secondFactorsTexts } from '../texts/second-factors.js'
import { FactorForm } from './factor-form.js'
import { useIdentities } from './use-identities.js'

export const STEP_UP = ['accounts', 'step-up']

const texts = secondFactorsTexts.challenge

/** Asks for a second factor where a call waits for a fresh proof. */
export default function StepUpDialog() {
  const isWaiting = useSyncExternalStore(stepUps.subscribe, stepUps.isWaiting, () => false)
  return (
    <Modal opened={isWaiting} onClose={stepUps.cancelled} title={texts.title} centered zIndex={400}>
      {isWaiting && <Question />}
    </Modal>
  )
}

/** Asks for the second factor, or for a sign-in of who has none. */
export function Question() {
  const challenge = useQuery({
    queryKey: STEP_UP,
    queryFn: () => platformClient.accounts.secondFactors.stepUp(),
    gcTime: 0,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (challenge.error instanceof Problem && challenge.error.code === 'UnknownSecondFactor') return <SignInAgain />
  return (
    <Stack>
      <Text>{texts.text}</Text>
      <Loaded query={challenge} rows={2}>
        {(asked) => <FactorForm challenge={asked} onProven={stepUps.proven} />}
      </Loaded>
    </Stack>
  )
}

function SignInAgain() {
  const { pathname } = useLocation()
  const { data } = useIdentities()
  return (
    <Stack>
      <Text>{texts.signIn}</Text>
      <ProviderButtons to={pathname} label={undefined} again={{ providers: data?.map(({ provider }) => provider) }} />
    </Stack>
  )
}
