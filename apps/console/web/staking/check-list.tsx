import { Box, Group, List, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { stakingTexts } from '../texts/staking.js'
import type { DepositCheck } from './deposit-checks.js'

const texts = stakingTexts.deposit

/** One line for each thing that was looked at. */
export function CheckList({ checks }: { checks: readonly DepositCheck[] }) {
  return (
    <List listStyleType="none" spacing="xs" aria-live="polite">
      {checks.map((check) => (
        <List.Item key={check.name} styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}>
          <Line check={check} />
        </List.Item>
      ))}
    </List>
  )
}

function Line({ check: { name, passed, found, expected } }: { check: DepositCheck }) {
  const Icon = passed ? IconCircleCheck : IconCircleX
  return (
    <Group wrap="nowrap" align="flex-start" gap="xs">
      <Icon size={20} color={`var(--mantine-color-${passed ? 'teal' : 'red'}-text)`} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <Box style={{ minWidth: 0 }}>
        <Text>
          {texts.checks[name]} <b>{passed ? texts.passed : texts.failed}</b>
        </Text>
        {!passed && expected !== undefined && <Bytes label={texts.expected} value={expected} />}
        <Bytes label={texts.actual} value={found} />
      </Box>
    </Group>
  )
}

function Bytes({ label, value }: { label: string; value: string }) {
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {label}: <span className="mono">{value}</span>
    </Text>
  )
}
