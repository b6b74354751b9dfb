import { Badge, Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Mail } from '@trestle/contracts/accounts/administration'
import { useState } from 'react'
import { type Column, DataTable } from '../parts/data-table.js'
import { Loaded } from '../parts/loaded.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { problemMessage } from '../platform/problem-message.js'
import { administrationTexts } from '../texts/administration.js'

const texts = administrationTexts.mails
const MAILS = ['administration', 'mails']
const STATES = ['failed', 'queued', 'sent', 'all'] as const
const COLOR = { failed: 'red', queued: 'orange', sent: 'teal' }

export function MailsPanel() {
  const [state, setState] = useState<(typeof STATES)[number]>('failed')
  const mails = useQuery({
    queryKey: [...MAILS, state],
    queryFn: () => platformClient.accounts.administration.mails({ query: { limit: '200', ...(state !== 'all' && { state }) } }),
    refetchInterval: 10_000,
  })
  return (
    <Stack align="stretch">
      <Text size="sm">{texts.text}</Text>
      <SegmentedControl
        aria-label={texts.state}
        data={STATES.map((value) => ({ value, label: texts.states[value] }))}
        value={state}
        onChange={setState}
        style={{ alignSelf: 'flex-start' }}
      />
      <Loaded query={mails}>
        {(rows) => (
          <DataTable
            label={administrationTexts.sections.mails}
            rows={rows}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            empty={texts.none[state]}
            minWidth={860}
          />
        )}
      </Loaded>
    </Stack>
  )
}

const COLUMNS: readonly Column<Mail>[] = [
  { name: 'recipient', header: texts.recipient, cell: ({ recipient }) => recipient, width: '2fr' },
  { name: 'subject', header: texts.subject, cell: ({ subject }) => subject, width: '2fr' },
  { name: 'state', header: texts.state, cell: ({ state }) => <State state={state} />, width: '100px' },
  { name: 'attempts', header: texts.attempts, cell: ({ attempts }) => attempts, width: '90px', align: 'right' },
  { name: 'error', header: texts.lastError, cell: ({ lastError }) => lastError, width: '2fr' },
  { name: 'created', header: texts.created, cell: ({ createdAt }) => <Time value={createdAt} />, width: '130px' },
  {
    name: 'resend',
    header: texts.actions,
    cell: (mail) => mail.state === 'failed' && <Resend mail={mail} />,
    width: '130px',
    align: 'right',
  },
]

function State({ state }: Pick<Mail, 'state'>) {
  return (
    <Badge variant="light" color={COLOR[state]} tt="none">
      {texts.states[state]}
    </Badge>
  )
}

function Resend({ mail: { id, recipient } }: { mail: Mail }) {
  const client = useQueryClient()
  const resending = useMutation({
    mutationFn: () => platformClient.accounts.administration.resend({ params: { id } }),
    onSuccess: () => notifications.show({ message: texts.resent }),
    onError: (error) => notifications.show({ message: problemMessage(error), color: 'red' }),
    onSettled: () => client.invalidateQueries({ queryKey: MAILS }),
  })
  return (
    <Button
      size="xs"
      variant="default"
      loading={resending.isPending}
      onClick={() => resending.mutate()}
      aria-label={texts.resendTo(recipient)}
    >
      {texts.resend}
    </Button>
  )
}
