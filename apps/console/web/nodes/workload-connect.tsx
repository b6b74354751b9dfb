import { Alert, Anchor, Card, Group, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { ConfirmButton } from '../parts/confirm-button.js'
import { Hash } from '../parts/copy-button.js'
import { FactList } from '../parts/fact-list.js'
import { SectionTitle } from '../parts/panel.js'
import { Secret } from '../parts/secret.js'
import { Snippets } from '../parts/snippets.js'
import { nodesTexts } from '../texts/nodes.js'
import { callSnippets } from './call-snippets.js'
import { useWorkloadActions } from './use-nodes.js'
import type { NodeOrCluster, NodeOrClusterKind } from './workload.js'

const texts = nodesTexts.connect

/** Endpoint, credentials and code snippets. */
export function WorkloadConnect({ kind, workload }: { kind: NodeOrClusterKind; workload: NodeOrCluster }) {
  const { url, phase } = workload
  const own = ownAddress(workload)
  return (
    <Stack gap="lg">
      {phase !== 'ready' && phase !== 'degraded' && phase !== 'updating' && (
        <Alert color="blue" variant="light">
          {texts.notReady}
        </Alert>
      )}
      <Card withBorder>
        <FactList
          facts={[
            [texts.endpoint, <Hash key="url" value={url} label={texts.endpoint} />],
            own && [texts.own, <Hash key="own" value={`${own.host}:${own.port}`} label={texts.own} />],
          ]}
        />
        <Text size="sm" c="dimmed" mt="xs">
          {texts.endpointText} {own && texts.ownText}
        </Text>
      </Card>
      <Credentials kind={kind} workload={workload} />
      <Calls workload={workload} />
    </Stack>
  )
}

function Credentials({ kind, workload: { id, auth, allowedIps } }: { kind: NodeOrClusterKind; workload: NodeOrCluster }) {
  const { rotate } = useWorkloadActions(kind, id)
  return (
    <Card withBorder>
      <Stack>
        <Group justify="space-between">
          <SectionTitle>{texts.credentials}</SectionTitle>
          {auth.type === 'basic' && (
            <ConfirmButton action={texts.rotate} title={texts.rotateTitle} onConfirm={rotate} color="orange" size="xs">
              <Text>{texts.rotateText}</Text>
            </ConfirmButton>
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
        <FactList
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

function Calls({ workload }: { workload: NodeOrCluster }) {
  const { url, chain, network, auth } = workload
  const [shown, setShown] = useState(false)
  const isBasic = auth.type === 'basic'
  const written = isBasic && !shown ? { ...auth, user: texts.userHidden, pass: texts.passwordHidden } : auth
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <SectionTitle>{texts.snippets}</SectionTitle>
        {isBasic && <Switch label={texts.reveal} checked={shown} onChange={(event) => setShown(event.currentTarget.checked)} />}
      </Group>
      <Snippets label={texts.snippets} snippets={callSnippets({ url, chain, network, auth: written, own: ownAddress(workload) })} />
    </Stack>
  )
}

/** Undefined where it has none but the door of all. */
function ownAddress({ ip, url, serviceData: { ports } }: NodeOrCluster): { host: string; port: number } | undefined {
  const [port] = ports
  const door = new URL(url)
  const doorPort = Number(door.port || (door.protocol === 'https:' ? 443 : 80))
  return port === undefined || (ip === door.hostname && port === doorPort) ? undefined : { host: ip, port }
}
