import { Box, Group, Radio, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface ChoiceCardProps {
  value: string
  title: ReactNode
  children?: ReactNode
  disabled?: boolean
}

/** One of several things to choose from, as a card. */
export function ChoiceCard({ value, title, children, disabled }: ChoiceCardProps) {
  return (
    <Radio.Card value={value} p="md" disabled={disabled} h="100%" display="flex" style={{ alignItems: 'flex-start' }}>
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Radio.Indicator disabled={disabled} />
        <Box style={{ minWidth: 0 }}>
          <Text fw={600}>{title}</Text>
          {children}
        </Box>
      </Group>
    </Radio.Card>
  )
}
