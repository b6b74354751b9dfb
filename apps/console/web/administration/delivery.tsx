import { Alert, Group, Stack, Text } from '@mantine/core'
import { MAX_COUNTED_WAITING, type OutboxState } from '@trestle/contracts/delivery'
import { type Column, DataTable } from '../parts/data-table.js'
import { SectionTitle } from '../parts/panel.js'
import { Time } from '../parts/time.js'
import { problemMessage } from '../platform/problem-message.js'
import { administrationTexts } from '../texts/administration.js'
import { DeadLetterButton, type LetterProps, RetryAllButton } from './dead-letter.js'
import { type ServiceDelivery, useDelivery } from './use-delivery.js'

const texts = administrationTexts.delivery

/** Domain events that were not delivered: waiting in an outbox, or dead letters. */
export function DeliveryPanel() {
  const services = useDelivery()
  const letters = services.flatMap((service) => (service.letters ?? []).map((letter) => ({ service, letter })))
  const unknown = services.filter(({ error }) => error)
  return (
    <Stack>
      <Text size="sm">{texts.text}</Text>
      {unknown.length > 0 && (
        <Alert color="orange" variant="light" role="status">
          {unknown.map(({ name, error }) => (
            <Text key={name} size="sm">
              {texts.unknown(name, problemMessage(error))}
            </Text>
          ))}
        </Alert>
      )}
      <Group justify="space-between">
        <SectionTitle>{texts.letters}</SectionTitle>
        {letters.length > 1 && <RetryAllButton letters={letters} />}
      </Group>
      <DataTable
        label={texts.letters}
        rows={letters.toSorted((a, b) => b.letter.givenUpAt.localeCompare(a.letter.givenUpAt))}
        columns={LETTERS}
        keyOf={({ letter: { id } }) => id}
        empty={emptyText(services)}
        minWidth={760}
      />
      <SectionTitle>{texts.outbox}</SectionTitle>
      <Text size="sm">{texts.outboxText}</Text>
      <DataTable label={texts.outbox} rows={services} columns={OUTBOX} keyOf={({ name }) => name} minWidth={640} />
    </Stack>
  )
}

/** Claims nothing about services that have not answered. */
function emptyText(services: readonly ServiceDelivery[]): string {
  if (services.some(({ error }) => error)) return texts.noLettersOfOthers
  return services.length > 0 && services.every(({ letters }) => letters) ? texts.noLetters : texts.loading
}

const LETTERS: readonly Column<LetterProps>[] = [
  { name: 'service', header: texts.service, cell: ({ service }) => service.name, width: '100px' },
  { name: 'event', header: texts.event, cell: ({ letter: { fact: event } }) => event, width: '1fr' },
  {
    name: 'error',
    header: texts.error,
    cell: ({ letter: { error } }) => (
      <Text inherit lineClamp={1} title={error}>
        {error}
      </Text>
    ),
    width: '2fr',
  },
  { name: 'since', header: texts.since, cell: ({ letter: { givenUpAt } }) => <Time value={givenUpAt} />, width: '130px' },
  { name: 'open', header: texts.actions, cell: (letter) => <DeadLetterButton {...letter} />, width: '110px', align: 'right' },
]

const OUTBOX: readonly Column<ServiceDelivery>[] = [
  { name: 'service', header: texts.service, cell: ({ name }) => name, width: '100px' },
  { name: 'waiting', header: texts.waiting, cell: ({ outbox }) => (outbox ? waitingOf(outbox) : '–'), width: '110px', align: 'right' },
  {
    name: 'oldest',
    header: texts.oldest,
    cell: ({ outbox }) => (outbox?.next[0] ? <Time value={outbox.next[0].createdAt} /> : '–'),
    width: '150px',
  },
  { name: 'next', header: texts.next, cell: ({ outbox }) => outbox && eventsOf(outbox), width: '2fr' },
]

function waitingOf({ waiting }: OutboxState): string {
  return waiting === MAX_COUNTED_WAITING ? texts.atLeast(waiting) : String(waiting)
}

/** Those that come next, each once. */
function eventsOf({ next }: OutboxState): string {
  return [...new Set(next.map(({ fact }) => fact))].join(', ')
}
