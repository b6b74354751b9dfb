import { Badge, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Session } from '@trestle/contracts/accounts/sessions'
import { useNavigate } from 'react-router'
import { ConfirmButton } from '../parts/confirm-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { Loaded } from '../parts/loaded.js'
import { Panel } from '../parts/panel.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { requestSignOut } from '../platform/session.client.js'
import { useSessionChange } from '../platform/use-session.js'
import { settingsTexts } from '../texts/settings.js'
import { deviceOf } from './device.js'

export const SESSIONS = ['accounts', 'sessions']

const texts = settingsTexts.sessions

export function SessionsSection() {
  const sessions = useQuery({ queryKey: SESSIONS, queryFn: () => platformClient.accounts.sessions.list(), refetchInterval: 30_000 })
  return (
    <Panel title={settingsTexts.sections.sessions} text={texts.idle} action={<EndAll />}>
      <Loaded query={sessions}>
        {(rows) => (
          <DataTable label={settingsTexts.sections.sessions} rows={rows} columns={COLUMNS} keyOf={({ id }) => id} minWidth={780} />
        )}
      </Loaded>
    </Panel>
  )
}

const COLUMNS: readonly Column<Session>[] = [
  { name: 'where', header: texts.where, cell: (session) => <Where session={session} />, width: '2fr' },
  { name: 'ip', header: texts.address, cell: ({ ip }) => ip },
  { name: 'since', header: texts.since, cell: ({ createdAt }) => <Time value={createdAt} /> },
  { name: 'used', header: texts.used, cell: ({ usedAt }) => usedAt && <Time value={usedAt} /> },
  { name: 'until', header: texts.until, cell: ({ expiresAt }) => <Time value={expiresAt} /> },
  { name: 'end', header: texts.actions, cell: (session) => <End session={session} />, width: '120px', align: 'right' },
]

function Where({ session }: { session: Session }) {
  return (
    <Group gap={6} title={session.userAgent}>
      <Text inherit>{nameOf(session)}</Text>
      {session.current && (
        <Badge variant="light" tt="none">
          {texts.here}
        </Badge>
      )}
    </Group>
  )
}

function End({ session }: { session: Session }) {
  const { id, current } = session
  const client = useQueryClient()
  const leave = useLeave()
  async function end() {
    if (current) return leave()
    await platformClient.accounts.sessions.end({ params: { id } })
    await client.invalidateQueries({ queryKey: SESSIONS })
  }
  return (
    <ConfirmButton action={texts.end} title={texts.endTitle(nameOf(session))} size="xs" onConfirm={end}>
      <Text>{texts.endText}</Text>
    </ConfirmButton>
  )
}

function EndAll() {
  const leave = useLeave()
  async function endAll() {
    await platformClient.accounts.sessions.endAll()
    await leave()
  }
  return (
    <ConfirmButton action={texts.endAll} title={texts.endAllTitle} size="xs" onConfirm={endAll}>
      <Text>{texts.endAllText}</Text>
    </ConfirmButton>
  )
}

/** Also drops the token of this browser. */
function useLeave() {
  const changed = useSessionChange()
  const navigate = useNavigate()
  return async () => {
    await requestSignOut()
    await navigate('/app/account/sign-in')
    await changed()
  }
}

function nameOf({ userAgent, client, provider }: Pick<Session, 'userAgent' | 'client' | 'provider'>): string {
  const device = client === 'command-line' ? texts.commandLine : deviceName(userAgent)
  return provider ? texts.through(device, provider) : device
}

function deviceName(userAgent: string): string {
  const { browser, system, program = texts.program } = deviceOf(userAgent)
  if (browser && system) return texts.on(browser, system)
  return browser ?? program
}
