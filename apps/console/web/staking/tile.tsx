import { Card, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** One number with its label. */
export function Tile({ label, value, hint }: { label: string; value: ReactNode; hint?: string }) {
  return (
    <Card withBorder p="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="lg" fw={650} mih={28} style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Text>
      {hint !== undefined && (
        <Text size="xs" c="dimmed" mih={18}>
          {hint}
        </Text>
      )}
    </Card>
  )
}
