# Completion of `cardbattle` for PowerShell. Without suggestions, PowerShell completes files.
Register-ArgumentCompleter -Native -CommandName cardbattle -ScriptBlock {
    param($word, $line, $cursor)
    $words = @($line.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
    $offers = @(cardbattle --complete=powershell "--word=$word" @words 2>$null)
    if ($offers[0] -eq '/') { # also complete files
        $offers = @($offers | Select-Object -Skip 1)
        [System.Management.Automation.CompletionCompleters]::CompleteFilename($word)
    }
    foreach ($offer in $offers) {
        $value, $help = $offer -split "`t", 2
        if (-not $help) { $help = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $help)
    }
}
