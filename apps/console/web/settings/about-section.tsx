import { Anchor, Stack, Text } from '@mantine/core'
import { Hash } from '../parts/copy-button.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { Panel } from '../parts/panel.js'
import type { PlatformService } from '../platform/health.client.js'
import { useHealth } from '../platform/use-health.js'
import { settingsTexts as texts } from '../texts/settings.js'

/** Addresses and API documentation for programs. */
export function AboutSection() {
  const services = useHealth().filter(({ state }) => state !== 'absent')
  return (
    <Panel title={texts.sections.about}>
      <Text>{texts.aboutText}</Text>
      <Address label={texts.address} value={location.origin} />
      <Address label={texts.issuer} value={`${location.origin}/accounts`} />
      <DataTable label={texts.docs} rows={services} columns={COLUMNS} keyOf={({ name }) => name} minWidth={420} />
    </Panel>
  )
}

function Address({ label, value }: { label: string; value: string }) {
  return (
    <Stack gap={0}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Hash value={value} label={label} />
    </Stack>
  )
}

const COLUMNS: readonly Column<PlatformService>[] = [
  { name: 'service', header: texts.service, cell: ({ name }) => name },
  { name: 'path', header: texts.basePath, cell: ({ basePath }) => <span className="mono">{basePath}</span> },
  {
    name: 'docs',
    header: texts.docs,
    cell: (service) => <Documented service={service} path="/docs" says={texts.docs} label={texts.docsOf(service.name)} />,
  },
  {
    name: 'openapi',
    header: texts.document,
    cell: (service) => <Documented service={service} path="/openapi.json" says={texts.document} label={texts.documentOf(service.name)} />,
  },
]

function Documented({ service, path, says, label }: { service: PlatformService; path: string; says: string; label: string }) {
  return (
    <Anchor href={service.basePath + path} target="_blank" aria-label={label} inherit>
      {says}
    </Anchor>
  )
}
