import { Card, Group, Stack, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface SectionProps {
  title: string
  action?: ReactNode
  children: ReactNode
}

/** One part of a page of settings. */
export function SettingsSection({ title, action, children }: SectionProps) {
  const id = useId()
  return (
    <Card withBorder component="section" aria-labelledby={id}>
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {action}
        </Group>
        {children}
      </Stack>
    </Card>
  )
}
