import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { problemMessage } from '../platform/problem-message.js'

interface DownloadProps {
  children: string
  fileName: string
  type: 'text/csv' | 'application/json' | 'application/x-ndjson' | 'text/plain'
  /** Read when the button is pressed. */
  text: () => string | Promise<string>
  disabled?: boolean
}

/** Saves a text as a file. */
export function DownloadButton({ children, fileName, type, text, disabled }: DownloadProps) {
  const saving = useMutation({
    mutationFn: async () => save(new Blob([await text()], { type }), fileName),
    onError: (error) => notifications.show({ color: 'red', message: problemMessage(error) }),
  })
  return (
    <Button
      variant="default"
      size="xs"
      disabled={disabled}
      loading={saving.isPending}
      leftSection={<IconDownload size={14} aria-hidden />}
      onClick={() => saving.mutate()}
    >
      {children}
    </Button>
  )
}

function save(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
