import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DeadLetter } from '@trestle/contracts/delivery'
import { useState } from 'react'
import { FactList } from '../parts/fact-list.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { exactTime } from '../parts/time.js'
import type { PlatformService } from '../platform/health.client.js'
import { administrationTexts } from '../texts/administration.js'
import { DELIVERY, deliveryOf, keyOfDelivery } from './use-delivery.js'

const texts = administrationTexts.delivery

export interface LetterProps {
  service: PlatformService
  letter: DeadLetter
}

/** Opens a dead letter, with the actions on it. */
export function DeadLetterButton({ service, letter }: LetterProps) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button size="xs" variant="default" onClick={open} aria-label={texts.openOf(letter.fact)}>
        {texts.open}
      </Button>
      <Modal opened={opened} onClose={close} title={letter.fact} size="lg" centered>
        <Letter service={service} letter={letter} />
      </Modal>
    </>
  )
}

function Letter({ service, letter: { id, consumer, attempts, givenUpAt, error, content } }: LetterProps) {
  const params = { id }
  const retry = useLetterAction(service, texts.retried, () => deliveryOf(service).retry({ params }))
  const discard = useLetterAction(service, texts.discarded, () => deliveryOf(service).discard({ params }))
  const failed = retry.error ?? discard.error
  return (
    <Stack>
      <FactList
        columns={3}
        facts={[
          [texts.consumer, consumer],
          [texts.attempts, attempts],
          [texts.givenUpAt, exactTime(givenUpAt)],
        ]}
      />
      <Text>{error}</Text>
      <Code block mah={240} style={{ overflow: 'auto', overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} tabIndex={0}>
        {content}
      </Code>
      <Text size="sm">{texts.choice}</Text>
      {failed && <ProblemNotice error={failed} />}
      <Group justify="flex-end">
        <Button variant="light" color="red" loading={discard.isPending} disabled={retry.isPending} onClick={() => discard.mutate()}>
          {texts.discard}
        </Button>
        <Button loading={retry.isPending} disabled={discard.isPending} onClick={() => retry.mutate()}>
          {texts.retry}
        </Button>
      </Group>
    </Stack>
  )
}

/** Afterwards the letter is gone from the list. */
function useLetterAction(service: PlatformService, message: string, act: () => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: () => notifications.show({ message }),
    onSettled: () => client.invalidateQueries({ queryKey: keyOfDelivery(service.name) }),
  })
}

/** Retries all shown letters one by one; those that fail again stay, with the reason. */
export function RetryAllButton({ letters }: { letters: readonly LetterProps[] }) {
  const client = useQueryClient()
  const [done, setDone] = useState(0)
  const retrying = useMutation({
    mutationFn: async () => {
      let failed = 0
      for (const [index, { service, letter }] of letters.entries()) {
        setDone(index)
        await deliveryOf(service)
          .retry({ params: { id: letter.id } })
          .catch(() => failed++)
      }
      return { failed, processed: letters.length - failed }
    },
    onSuccess: ({ processed, failed }) =>
      notifications.show({ message: texts.retriedAll(processed, failed), color: failed > 0 ? 'orange' : undefined }),
    onSettled: () => client.invalidateQueries({ queryKey: DELIVERY }),
  })
  return (
    <Button variant="default" size="xs" disabled={retrying.isPending} onClick={() => retrying.mutate()}>
      {retrying.isPending ? texts.retryingAll(done, letters.length) : texts.retryAll}
    </Button>
  )
}
