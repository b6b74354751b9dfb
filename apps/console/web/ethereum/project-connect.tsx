import { Alert, Anchor, Card, Stack, Text } from '@mantine/core'
import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { Link } from 'react-router'
import { Hash } from '../parts/copy-button.js'
import { FactList } from '../parts/fact-list.js'
import { SectionTitle } from '../parts/panel.js'
import { Snippets } from '../parts/snippets.js'
import { exactTime } from '../parts/time.js'
import { ethereumTexts } from '../texts/ethereum.js'
import { snippetsOf, webSocketUrl } from './snippets.js'

const texts = ethereumTexts.connect

/** Where to call, and how. */
export function ProjectConnect({ project }: { project: Project }) {
  const { url, requireToken, formerIdUntil } = project
  return (
    <Stack gap="lg">
      {formerIdUntil && <Alert variant="light">{texts.former(exactTime(formerIdUntil))}</Alert>}
      <Card withBorder>
        <Stack gap="sm">
          <FactList
            columns={1}
            facts={[
              [texts.http, <Hash key="http" value={url} label={texts.copyHttp} />],
              [texts.webSocket, <Hash key="ws" value={webSocketUrl(url)} label={texts.copyWebSocket} />],
            ]}
          />
          <Text size="sm" c="dimmed">
            {requireToken ? texts.withToken : texts.secret}
          </Text>
        </Stack>
      </Card>
      <Stack component="section" gap="sm">
        <SectionTitle>{texts.first}</SectionTitle>
        <Snippets snippets={snippetsOf(project)} label={texts.languages} />
        {requireToken && (
          <Text size="sm">
            {texts.token}{' '}
            <Anchor component={Link} to="/app/keys" size="sm">
              {texts.keys}
            </Anchor>
          </Text>
        )}
      </Stack>
    </Stack>
  )
}
