# Both programs of Noughts, for Homebrew. `fill` has written it from the template in server/packaging/manifests.
class Noughts < Formula
  desc "Host and play tic-tac-toe on a LAN or across the Internet"
  homepage "@HOME@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "@FILES@/noughts-v@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@aarch64-apple-darwin@"
    end
    on_intel do
      url "@FILES@/noughts-v@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@x86_64-apple-darwin@"
    end
  end
  on_linux do
    on_arm do
      url "@FILES@/noughts-v@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "@FILES@/noughts-v@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "noughts", "noughts-server"
    man1.install Dir["man/*.1"]
    %w[noughts noughts-server].each do |program|
      bash_completion.install "completions/#{program}.bash" => program
      fish_completion.install "completions/#{program}.fish"
      zsh_completion.install "completions/#{program}.zsh" => "_#{program}"
    end
    (etc/"noughts").install "server/packaging/noughts.toml"
    doc.install Dir["NOTICES-*.txt"]
  end

  service do
    run [opt_bin/"noughts-server", "--config", etc/"noughts/noughts.toml"]
    environment_variables NOUGHTS_DATA_DIR: var/"noughts", NOUGHTS_NO_QR: "true"
    keep_alive crashed: true
    log_path var/"log/noughts.log"
    error_log_path var/"log/noughts.log"
  end

  test do
    system bin/"noughts-server", "check", "--bind", "127.0.0.1:0", "--data-dir", testpath/"games"
    assert_match version.to_s, shell_output("#{bin}/noughts --version")
  end
end
