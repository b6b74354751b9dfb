import { Alert, Anchor, Card, Group, Stack, Switch, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { Confirm } from '../parts/confirm.js'
import { Hash } from '../parts/copy.js'
import { Facts } from '../parts/facts.js'
import { Secret } from '../parts/secret.js'
import { Snippets } from '../parts/snippets.js'
import { nodes } from '../texts/nodes.js'
import { callsTo } from './calls.js'
import type { Holding, Kind } from './holding.js'
import { useDeeds } from './queries.js'

const texts = nodes.connect

/** Where it is called, with what, and how that looks in several languages. */
export function Connect({ kind, holding }: { kind: Kind; holding: Holding }) {
  const { url, phase } = holding
  const own = ownAddress(holding)
  return (
    <Stack gap="lg">
      {phase !== 'ready' && phase !== 'degraded' && phase !== 'updating' && (
        <Alert color="blue" variant="light">
          {texts.notReady}
        </Alert>
      )}
      <Card withBorder>
        <Facts
          facts={[
            [texts.endpoint, <Hash key="url" value={url} label={texts.endpoint} />],
            own && [texts.own, <Hash key="own" value={`${own.host}:${own.port}`} label={texts.own} />],
          ]}
        />
        <Text size="sm" c="dimmed" mt="xs">
          {texts.endpointText} {own && texts.ownText}
        </Text>
      </Card>
      <Credentials kind={kind} holding={holding} />
      <Calls holding={holding} />
    </Stack>
  )
}

function Credentials({ kind, holding: { id, auth, allowedIps } }: { kind: Kind; holding: Holding }) {
  const { rotate } = useDeeds(kind, id)
  return (
    <Card withBorder>
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {texts.credentials}
          </Title>
          {auth.type === 'basic' && (
            <Confirm action={texts.rotate} title={texts.rotateTitle} onConfirm={rotate} color="orange" size="xs">
              <Text>{texts.rotateText}</Text>
            </Confirm>
          )}
        </Group>
        {auth.type === 'jwt' && (
          <Text>
            {texts.jwt}{' '}
            <Anchor component={Link} to="/app/keys" underline="always">
              {texts.keys}
            </Anchor>
          </Text>
        )}
        {auth.type === 'none' && <Text>{texts.open}</Text>}
        <Facts
          facts={[
            auth.user !== undefined && [texts.user, <Hash key="user" value={auth.user} label={texts.user} />],
            auth.pass !== undefined && [texts.passwordLabel, <Secret key={auth.pass} value={auth.pass} label={texts.password} />],
            [texts.allowed, allowedIps.length > 0 ? allowedIps.join(', ') : texts.anywhere],
          ]}
        />
      </Stack>
    </Card>
  )
}

function Calls({ holding }: { holding: Holding }) {
  const { url, chain, network, auth } = holding
  const [shown, setShown] = useState(false)
  const isBasic = auth.type === 'basic'
  const written = isBasic && !shown ? { ...auth, user: texts.userHidden, pass: texts.passwordHidden } : auth
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {texts.snippets}
        </Title>
        {isBasic && <Switch label={texts.reveal} checked={shown} onChange={(event) => setShown(event.currentTarget.checked)} />}
      </Group>
      <Snippets label={texts.snippets} snippets={callsTo({ url, chain, network, auth: written, own: ownAddress(holding) })} />
    </Stack>
  )
}

/** Undefined where it has none but the door of all. */
function ownAddress({ ip, url, serviceData: { ports } }: Holding): { host: string; port: number } | undefined {
  const [port] = ports
  const door = new URL(url)
  const doorPort = Number(door.port || (door.protocol === 'https:' ? 443 : 80))
  return port === undefined || (ip === door.hostname && port === doorPort) ? undefined : { host: ip, port }
}
