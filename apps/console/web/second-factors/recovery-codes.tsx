import { Alert, Button, Group, SimpleGrid, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { CopyButton } from '../parts/copy-button.js'
import { secondFactorsTexts as texts } from '../texts/second-factors.js'

/** The only time that recovery codes are shown. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
        {texts.recoveryText}
      </Alert>
      <SimpleGrid
        cols={{ base: 1, xs: 2 }}
        spacing="xs"
        component="ul"
        aria-label={texts.recoveryTitle}
        style={{ listStyle: 'none', padding: 0 }}
      >
        {codes.map((code) => (
          <li key={code} className="mono">
            {code}
          </li>
        ))}
      </SimpleGrid>
      <Group justify="flex-end">
        <CopyButton value={codes.join('\n')} />
        <Button onClick={onDone}>{texts.stored}</Button>
      </Group>
    </Stack>
  )
}
