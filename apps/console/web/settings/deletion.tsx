import { Alert, Button, List, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AccountDeletion } from '@trestle/contracts/accounts/account-deletion'
import { useState } from 'react'
import { type Column, DataTable } from '../parts/data-table.js'
import { Loaded } from '../parts/loaded.js'
import { Panel } from '../parts/panel.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { SubmitForm } from '../parts/submit-form.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { OwnerPassword } from '../second-factors/owner-password.js'
import { settingsTexts } from '../texts/settings.js'
import { type Holding, holdingsOf } from './holdings.js'

export const DELETION = ['accounts', 'deletion']

const texts = settingsTexts.deletion
const FIELDS = { WrongPassword: 'password' }

/** What would happen is shown before anything is asked for. */
export function DeletionSection() {
  const deletion = useQuery({ queryKey: DELETION, queryFn: () => platformClient.accounts.accountDeletion.get() })
  return (
    <Panel title={settingsTexts.sections.deletion}>
      <Loaded query={deletion}>{(preview) => <Preview preview={preview} />}</Loaded>
    </Panel>
  )
}

function Preview({ preview }: { preview: AccountDeletion }) {
  const { dueAt, graceHours, blockers, unreachable } = preview
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {texts.text(graceHours)}
      </Text>
      <DataTable label={texts.label} rows={holdingsOf(preview)} columns={COLUMNS} keyOf={({ key }) => key} empty={texts.nothing} />
      {blockers.length > 0 && (
        <List size="sm">
          {blockers.map((blocker) => (
            <List.Item key={blocker}>{blocker}</List.Item>
          ))}
        </List>
      )}
      {unreachable.length > 0 && <Text size="sm">{texts.unreachable(unreachable.join(', '))}</Text>}
      {dueAt === undefined ? <Request isPossible={blockers.length === 0 && unreachable.length === 0} /> : <Requested dueAt={dueAt} />}
    </Stack>
  )
}

const COLUMNS: readonly Column<Holding>[] = [
  { name: 'what', header: texts.what, cell: ({ what }) => what, width: '2fr' },
  { name: 'state', header: texts.state, cell: ({ state }) => state },
  { name: 'count', header: texts.count, cell: ({ count }) => count, width: '80px', align: 'right' },
  { name: 'effect', header: texts.effect, cell: ({ effect }) => texts.effects[effect] },
]

function Request({ isPossible }: { isPossible: boolean }) {
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const requesting = useMutation({
    mutationFn: () => platformClient.accounts.accountDeletion.request({ body: { password: password || undefined } }),
    onSuccess: (requested) => {
      setPassword('')
      client.setQueryData(DELETION, requested)
    },
  })
  const { fields, rest } = problemByField(requesting.error, FIELDS)
  return (
    <SubmitForm action={texts.submit} submission={requesting} problem={rest} maxWidth={520} variant="outline" disabled={!isPossible}>
      <OwnerPassword
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        label={texts.password}
        disabled={!isPossible}
        error={fields['password']}
      />
    </SubmitForm>
  )
}

function Requested({ dueAt }: { dueAt: string }) {
  const client = useQueryClient()
  const keeping = useMutation({
    mutationFn: () => platformClient.accounts.accountDeletion.cancel(),
    onSuccess: async () => {
      notifications.show({ message: texts.kept })
      await client.invalidateQueries({ queryKey: DELETION })
    },
  })
  return (
    <Alert color="red" title={texts.due}>
      <Stack align="flex-start">
        <Text>
          <Time value={dueAt} />
        </Text>
        {keeping.error && <ProblemNotice error={keeping.error} />}
        <Button onClick={() => keeping.mutate()} loading={keeping.isPending}>
          {texts.keep}
        </Button>
      </Stack>
    </Alert>
  )
}
