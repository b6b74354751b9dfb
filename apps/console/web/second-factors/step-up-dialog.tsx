import { Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Loaded } from '../parts/loaded.js'
import { platformClient } from '../platform/client.js'
import { stepUps } from '../platform/step-ups.engine.js'
import { secondFactorsTexts } from '../texts/second-factors.js'
import { FactorForm } from './factor-form.js'

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

function Question() {
  const challenge = useQuery({
    queryKey: ['accounts', 'step-up'],
    queryFn: () => platformClient.accounts.secondFactors.stepUp(),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Stack>
      <Text>{texts.text}</Text>
      <Loaded query={challenge} rows={2}>
        {(asked) => <FactorForm challenge={asked} onProven={stepUps.proven} />}
      </Loaded>
    </Stack>
  )
}
