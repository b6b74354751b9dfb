import { Anchor, Box, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'

interface PageProps {
  title: string
  description?: ReactNode
  /** Where it stands, from the outermost. */
  above?: readonly { to: string; label: string }[]
  /** Buttons for the page as a whole. */
  actions?: ReactNode
  children: ReactNode
}

/** One page: its title, what can be done there, its content. */
export function PageLayout({ title, description, above = [], actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Trestle`
  }, [title])
  return (
    <Stack gap="lg" maw={1200} mx="auto">
      <Stack gap={4}>
        {above.length > 0 && (
          <Breadcrumbs separatorMargin={6} component="nav" aria-label="Breadcrumb">
            {above.map(({ to, label }) => (
              <Anchor key={to} component={Link} to={to} size="sm">
                {label}
              </Anchor>
            ))}
          </Breadcrumbs>
        )}
        <Group justify="space-between" align="flex-start">
          <Box style={{ minWidth: 0 }}>
            <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            {description && (
              <Text c="dimmed" component="div">
                {description}
              </Text>
            )}
          </Box>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      </Stack>
      {children}
    </Stack>
  )
}
