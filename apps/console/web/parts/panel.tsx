import { Card, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface PanelProps {
  title: string
  text?: ReactNode
  /** Beside the title. */
  action?: ReactNode
  minHeight?: number
  children?: ReactNode
}

/** A framed section of a page. */
export function Panel({ title, text, action, minHeight, children }: PanelProps) {
  return (
    <Card withBorder component="section" aria-label={title} mih={minHeight}>
      <Stack gap="sm">
        <Group justify="space-between">
          <SectionTitle>{title}</SectionTitle>
          {action}
        </Group>
        {text && (
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        )}
        {children}
      </Stack>
    </Card>
  )
}

/** The heading of a section, below the one of the page. */
export function SectionTitle({ children }: { children: ReactNode }) {
  return (
    <Title order={2} size="h4">
      {children}
    </Title>
  )
}
