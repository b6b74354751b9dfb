import { DownloadButton } from '../parts/download-button.js'
import { Panel } from '../parts/panel.js'
import { platformClient } from '../platform/client.js'
import { settingsTexts } from '../texts/settings.js'

const texts = settingsTexts.data

export function DataSection() {
  return (
    <Panel
      title={settingsTexts.sections.data}
      text={texts.text}
      action={
        <DownloadButton fileName={texts.file} type="application/x-ndjson" text={() => platformClient.accounts.dataExport.create()}>
          {texts.download}
        </DownloadButton>
      }
    />
  )
}
