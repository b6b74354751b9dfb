import { Box, Code, Tabs } from '@mantine/core'
import { CopyButton } from './copy-button.js'

/** The same code in several languages, one tab each. */
export function Snippets({ snippets, label }: { snippets: Readonly<Record<string, string>>; label: string }) {
  const names = Object.keys(snippets)
  return (
    <Tabs defaultValue={names[0]} keepMounted={false}>
      <Tabs.List aria-label={label}>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map((name) => (
        <Tabs.Panel key={name} value={name} pt="xs">
          <Box pos="relative">
            <Code block pr={44} tabIndex={0}>
              {snippets[name]}
            </Code>
            <Box pos="absolute" top={6} right={6}>
              <CopyButton value={snippets[name] ?? ''} label={name} />
            </Box>
          </Box>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
